import type { CallToolResult } from '@modelcontextprotocol/server'
import { toErrorAnswer } from '../../workspace/error-answer.js'

/** What a tool answers: the value, and the same JSON as text for clients that read only one of the two. */
export function answer(value: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value } }
}

/** A failed call. In text only: an error in `structuredContent` would break the tool's output schema. */
export function failure(error: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(toErrorAnswer(error)) }], isError: true }
}

/** Characters that the value's text block takes in the message, where its JSON stands escaped in JSON. */
export function messageLength(value: unknown): number {
  return JSON.stringify(JSON.stringify(value)).length - 2
}
