import { connectStdio } from '../stdio-client.js'
import type { OpenedWorkspace } from '../../../src/workspace/open-workspace.js'

type Connection = Awaited<ReturnType<typeof connectStdio>>

/** Keys whose values differ from run to run; handles among them are passed on to later calls. */
const volatileKeys: ReadonlySet<string> = new Set(['queryId', 'elapsedMs', 'result', 'scratch', 'uri'])

/** Calls of a page's `json` blocks over MCP, in order: `<!-- call: tool -->` and then `<!-- answer -->`. */
export class ToolCalls {
  readonly #connection: Connection
  /** Handles as the page writes them, and as they are. */
  readonly #handles = new Map<string, string>()
  #answer: unknown

  private constructor(connection: Connection) {
    this.#connection = connection
  }

  static async open(workspace: OpenedWorkspace): Promise<ToolCalls> {
    return new ToolCalls(await connectStdio(workspace, 'modern'))
  }

  /** The client checks an answer against the tool's output schema. */
  async call(name: string, args: unknown): Promise<void> {
    const actual = this.#withHandles(args) as Record<string, unknown>
    const { client } = this.#connection
    await client.listTools()
    const result = await client.callTool({ name, arguments: actual })
    const [first] = result.content
    this.#answer = result.structuredContent ?? (first?.type === 'text' ? JSON.parse(first.text) : undefined)
  }

  /** The answer of the last call, with the page's values where they differ from run to run. */
  answerLike(shown: unknown): unknown {
    this.#learnHandles(shown, this.#answer)
    const written = isObject(shown) ? shown : {}
    return JSON.parse(JSON.stringify(this.#answer), (key, item: unknown) =>
      volatileKeys.has(key) ? (written[key] ?? item) : item,
    )
  }

  #withHandles(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value), (_, item: unknown) =>
      typeof item === 'string' ? (this.#handles.get(item) ?? item) : item,
    )
  }

  #learnHandles(shown: unknown, actual: unknown): void {
    if (!isObject(shown) || !isObject(actual)) return
    for (const key of volatileKeys) {
      const [written, real] = [shown[key], actual[key]]
      if (typeof written === 'string' && typeof real === 'string') this.#handles.set(written, real)
    }
  }

  async close(): Promise<void> {
    const { client, toServer, ended } = this.#connection
    await client.close()
    toServer.end()
    await ended
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
