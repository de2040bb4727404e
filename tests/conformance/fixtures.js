// What the conformance scenarios call by name. The entries go through Querent's own registration, next to its tools.
import { createRequestStateCodec, MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const pngBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wavBase64 = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const clientCapabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

const text = (value) => ({ type: 'text', text: value })
const image = { type: 'image', data: pngBase64, mimeType: 'image/png' }
const answer = (...content) => ({ content })
const user = (content) => ({ role: 'user', content })

function tool(name, description, call, properties = {}) {
  const required = Object.keys(properties)
  return {
    definition: {
      name,
      description,
      inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    },
    call,
  }
}

const contentTools = [
  tool('test_simple_text', 'Answers one text', async () => answer(text('This is a simple text response for testing.'))),
  tool('test_image_content', 'Answers an image', async () => answer(image)),
  tool('test_audio_content', 'Answers a sound', async () =>
    answer({ type: 'audio', data: wavBase64, mimeType: 'audio/wav' }),
  ),
  tool('test_embedded_resource', 'Answers a resource', async () =>
    answer({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  ),
  tool('test_multiple_content_types', 'Answers a text, an image and a resource', async () =>
    answer(text('Multiple content types test:'), image, {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    }),
  ),
  tool('test_error_handling', 'Always fails', async () => ({
    ...answer(text('This tool intentionally returns an error for testing')),
    isError: true,
  })),
]

const dialect = 'https://json-schema.org/draft/2020-12/schema'
const required = (name) => ({ required: [name] })

/** A schema with what a server may lose when it rewrites schemas. */
const schemaTool = {
  definition: {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: dialect,
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [required('phone'), required('email')] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: required('phone'),
      else: required('email'),
      additionalProperties: false,
    },
  },
  call: async () => answer(text('Called')),
}

const notifyingTools = [
  tool('test_reconnection', 'Breaks its own stream, then answers', async (_args, { protocol }) => {
    protocol.http?.closeSSE?.()
    await delay(100)
    return answer(text('Reconnected'))
  }),
  tool('test_tool_with_logging', 'Logs three lines', async (_args, { protocol }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await protocol.mcpReq.log('info', line)
      await delay(50)
    }
    return answer(text('Logged'))
  }),
  tool('test_logging_tool', 'Logs one line where the client asked for logs', async (_args, { protocol }) => {
    await protocol.mcpReq.log('info', 'A line')
    return answer(text('Logged'))
  }),
  tool('test_tool_with_progress', 'Reports progress three times', async (_args, { protocol }) => {
    const progressToken = protocol.mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await protocol.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      }
      await delay(50)
    }
    return answer(text('Done'))
  }),
]

const string = { type: 'string' }

const askingTools = [
  tool(
    'test_sampling',
    'Asks the client’s model',
    async ({ prompt }, { protocol }) => {
      const reply = await protocol.mcpReq.requestSampling({ messages: [user(text(prompt))], maxTokens: 100 })
      return answer(text(`LLM response: ${reply.content.text}`))
    },
    { prompt: string },
  ),
  tool(
    'test_elicitation',
    'Asks the person',
    async ({ message }, { protocol }) => {
      const reply = await elicit(protocol, message, {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      })
      return answer(text(`User response: ${reply}`))
    },
    { message: string },
  ),
  tool('test_elicitation_sep1034_defaults', 'Asks with defaults', async (_args, { protocol }) => {
    const reply = await elicit(protocol, 'Please review the fields', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    })
    return answer(text(`Elicitation completed: ${reply}`))
  }),
  tool('test_elicitation_sep1330_enums', 'Asks with all kinds of choices', async (_args, { protocol }) => {
    const plain = ['option1', 'option2', 'option3']
    const titled = (titles) => titles.map((title, index) => ({ const: `value${index + 1}`, title }))
    const reply = await elicit(protocol, 'Please choose', {
      untitledSingle: { type: 'string', enum: plain },
      titledSingle: { type: 'string', oneOf: titled(['First Option', 'Second Option', 'Third Option']) },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
      titledMulti: { type: 'array', items: { anyOf: titled(['First Choice', 'Second Choice', 'Third Choice']) } },
    })
    return answer(text(`Elicitation completed: ${reply}`))
  }),
]

async function elicit(protocol, message, properties) {
  const required = Object.keys(properties).filter((name) => properties[name].default === undefined)
  const requestedSchema = { type: 'object', properties, required }
  const { action, content } = await protocol.mcpReq.elicitInput({ mode: 'form', message, requestedSchema })
  return `action=${action}, content=${JSON.stringify(content ?? {})}`
}

const states = createRequestStateCodec({ key: randomBytes(32), ttlSeconds: 60 })

const ask = (message, field, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  },
})
const sample = (prompt, maxTokens) => ({
  method: 'sampling/createMessage',
  params: { messages: [user(text(prompt))], maxTokens },
})
const roots = { method: 'roots/list', params: {} }

const inputRequired = (inputRequests, requestState) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState !== undefined && { requestState }),
})

/** The content that a person accepted for a key; undefined otherwise, so that the tool asks again. */
function accepted(protocol, key, field) {
  const response = protocol.mcpReq.inputResponses?.[key]
  return response?.action === 'accept' ? response.content?.[field] : undefined
}

const roundTripTools = [
  tool('test_input_required_result_elicitation', 'Asks for a name', async (_args, { protocol }) => {
    const name = accepted(protocol, 'user_name', 'name')
    if (typeof name !== 'string') return inputRequired({ user_name: ask('What is your name?', 'name') })
    return answer(text(`Hello, ${name}!`))
  }),
  tool('test_input_required_result_sampling', 'Asks the client’s model', async (_args, { protocol }) => {
    const reply = protocol.mcpReq.inputResponses?.capital_question?.content
    if (reply === undefined) return inputRequired({ capital_question: sample('What is the capital of France?', 100) })
    return answer(text(`Model said: ${reply.text}`))
  }),
  tool('test_input_required_result_list_roots', 'Asks for roots', async (_args, { protocol }) => {
    const listed = protocol.mcpReq.inputResponses?.client_roots?.roots
    if (!Array.isArray(listed)) return inputRequired({ client_roots: roots })
    return answer(text(`Roots: ${listed.map((root) => root.uri).join(', ')}`))
  }),
  tool('test_input_required_result_request_state', 'Keeps a state', async (_args, { protocol }) => {
    const ok = accepted(protocol, 'confirm', 'ok')
    if (ok === undefined || protocol.mcpReq.requestState()?.step !== 'confirm') {
      return inputRequired({ confirm: ask('Please confirm', 'ok', 'boolean') }, await states.mint({ step: 'confirm' }))
    }
    return answer(text('state-ok'))
  }),
  tool('test_input_required_result_tampered_state', 'Refuses a changed state', async (_args, { protocol }) => {
    const ok = accepted(protocol, 'confirm', 'ok')
    if (ok === undefined) {
      return inputRequired({ confirm: ask('Please confirm', 'ok', 'boolean') }, await states.mint({ step: 'confirm' }))
    }
    return answer(text('state-ok'))
  }),
  tool('test_input_required_result_multiple_inputs', 'Asks three things at once', async (_args, { protocol }) => {
    const responses = protocol.mcpReq.inputResponses ?? {}
    if (['user_name', 'greeting', 'client_roots'].some((key) => responses[key] === undefined)) {
      const requests = {
        user_name: ask('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: roots,
      }
      return inputRequired(requests, await states.mint({ step: 'all' }))
    }
    return answer(text('All three came'))
  }),
  tool('test_input_required_result_multi_round', 'Asks twice', async (_args, { protocol }) => {
    const state = protocol.mcpReq.requestState()
    if (state?.step === 2 && accepted(protocol, 'step2', 'color') !== undefined) {
      return answer(text(`${state.name} likes ${accepted(protocol, 'step2', 'color')}`))
    }
    const name = accepted(protocol, 'step1', 'name')
    if (state?.step === 1 && name !== undefined) {
      return inputRequired(
        { step2: ask('Step 2: What is your favorite color?', 'color') },
        await states.mint({ step: 2, name }),
      )
    }
    return inputRequired({ step1: ask('Step 1: What is your name?', 'name') }, await states.mint({ step: 1 }))
  }),
  tool('test_input_required_result_capabilities', 'Asks only what the client can', async (_args, { protocol }) => {
    const declared = protocol.mcpReq.envelope?.[clientCapabilitiesKey] ?? {}
    const requests = {
      ...(declared.sampling !== undefined && { greeting: sample('Generate a greeting', 50) }),
      ...(declared.elicitation !== undefined && { user_name: ask('What is your name?', 'name') }),
      ...(declared.roots !== undefined && { client_roots: roots }),
    }
    return Object.keys(requests).length === 0 ? answer(text('The client can do nothing')) : inputRequired(requests)
  }),
  tool('test_missing_capability', 'Needs a client that can sample', async (_args, { protocol }) => {
    if (protocol.mcpReq.envelope?.[clientCapabilitiesKey]?.sampling === undefined) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    }
    return answer(text('The client can sample'))
  }),
  tool('test_streaming_elicitation', 'Reports progress, then asks', async (_args, { protocol }) => {
    const progressToken = protocol.mcpReq._meta?.progressToken
    if (progressToken !== undefined) {
      await protocol.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
    }
    const name = accepted(protocol, 'user_name', 'name')
    return name === undefined ? inputRequired({ user_name: ask('What is your name?', 'name') }) : answer(text(name))
  }),
]

const prompt = (definition, get) => ({
  definition,
  get,
  complete: async (_argument, value) => {
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(value))
    return { values, total: values.length, hasMore: false }
  },
})

const prompts = [
  prompt({ name: 'test_simple_prompt', description: 'One text' }, async () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  })),
  prompt(
    {
      name: 'test_prompt_with_arguments',
      description: 'Two arguments',
      arguments: [
        { name: 'arg1', description: 'First test argument', required: true },
        { name: 'arg2', description: 'Second test argument', required: true },
      ],
    },
    async ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  ),
  prompt(
    {
      name: 'test_prompt_with_embedded_resource',
      description: 'A resource',
      arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
    },
    async ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  ),
  prompt({ name: 'test_prompt_with_image', description: 'An image' }, async () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  })),
  prompt(
    { name: 'test_input_required_result_prompt', description: 'Asks for a context' },
    async (_args, { protocol }) => {
      const context = accepted(protocol, 'user_context', 'context')
      if (context === undefined) {
        return inputRequired({ user_context: ask('What context should the prompt use?', 'context') })
      }
      return { messages: [user(text(`Context: ${context}`))] }
    },
  ),
]

const resource = (uri, name, mimeType, content) => ({
  definition: { uri, name, description: `The resource ${name}`, mimeType },
  read: async () => ({ contents: [{ uri, mimeType, ...content }] }),
})

const resources = [
  resource('test://static-text', 'static-text', 'text/plain', {
    text: 'This is the content of the static text resource.',
  }),
  resource('test://static-binary', 'static-binary', 'image/png', { blob: pngBase64 }),
  resource('test://watched-resource', 'watched-resource', 'text/plain', { text: 'Watched content' }),
]

const template = {
  definition: {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'Data by id',
    mimeType: 'application/json',
  },
  match: (uri) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
    return id === undefined ? undefined : { id }
  },
  read: async (uri, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }),
}

/** Events of streams in order, for one server's run. */
class MemoryEvents {
  #events = []

  async storeEvent(streamId, message) {
    this.#events.push({ streamId, message })
    return String(this.#events.length)
  }

  async getStreamIdForEventId(eventId) {
    return this.#events[Number(eventId) - 1]?.streamId
  }

  async replayEventsAfter(lastEventId, { send }) {
    const position = Number(lastEventId)
    const { streamId } = this.#events[position - 1]
    for (let index = position; index < this.#events.length; index++) {
      const event = this.#events[index]
      if (event.streamId === streamId && event.message.jsonrpc !== undefined)
        await send(String(index + 1), event.message)
    }
    return streamId
  }
}

/** @param announceChange what a change of the workspace's catalog does. */
export function extendWithFixtures(announceChange) {
  const changing = ['test_trigger_tool_change', 'test_trigger_prompt_change'].map((name) =>
    tool(name, 'Announces a change', async () => {
      announceChange()
      return answer(text('Announced'))
    }),
  )
  return (offer) => ({
    tools: [
      ...offer.tools,
      ...contentTools,
      schemaTool,
      ...notifyingTools,
      ...askingTools,
      ...roundTripTools,
      ...changing,
    ],
    prompts: [...offer.prompts, ...prompts],
    resources: [...offer.resources, ...resources],
    templates: [...offer.templates, template],
    options: {
      capabilities: { logging: {}, resources: { listChanged: true, subscribe: true } },
      requestState: { verify: states.verify },
    },
    resumable: { eventStore: new MemoryEvents(), retryInterval: 50 },
    setUp: (server) => {
      server.setRequestHandler('resources/subscribe', () => ({}))
      server.setRequestHandler('resources/unsubscribe', () => ({}))
    },
  })
}
