import type { Readable, Writable } from 'node:stream'
import {
  INVALID_REQUEST,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  PARSE_ERROR,
  parseJSONRPCMessage,
  serializeMessage,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { idOfEnds, LineReader, type Line } from './line-reader.js'

export interface StdioTransportOptions {
  readonly input: Readable
  readonly output: Writable
  /** A longer message is answered with an error; the connection goes on. */
  readonly maxLineBytes: number
  /** After the end of input, how long requests in flight may take to be answered. */
  readonly drainTimeoutMs: number
  /** Whether the process that started this one is gone. */
  readonly isOrphan: () => boolean
}

const orphanPollMs = 250

/**
 * MCP over a pair of streams. Unlike the SDK's, it answers the requests in flight when the input ends before it
 * closes, and it survives lines that are too long or no JSON.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  readonly #options: StdioTransportOptions
  readonly #lines: LineReader
  readonly #inFlight = new Set<RequestId>()
  #writing = 0
  #inputEnded = false
  #closed = false
  #timers: NodeJS.Timeout[] = []

  constructor(options: StdioTransportOptions) {
    this.#options = options
    this.#lines = new LineReader(options.maxLineBytes)
  }

  start(): Promise<void> {
    const { input, output } = this.#options
    input.on('data', this.#onData)
    input.on('end', this.#onEnd)
    input.on('close', this.#onEnd)
    input.on('error', this.#onInputError)
    output.on('error', this.#onOutputError)
    if (input.readableEnded || input.destroyed) queueMicrotask(this.#onEnd)
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.resolve()
    return new Promise((resolve) => {
      this.#writing += 1
      // A failed write ends the connection through the stream's own error event.
      this.#options.output.write(serializeMessage(message), () => {
        this.#writing -= 1
        if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#settle(message.id)
        resolve()
      })
    })
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#closed = true
    const { input, output } = this.#options
    for (const timer of this.#timers) clearTimeout(timer)
    input.off('data', this.#onData)
    input.off('end', this.#onEnd)
    input.off('close', this.#onEnd)
    input.off('error', this.#onInputError)
    output.off('error', this.#onOutputError)
    input.pause()
    this.onclose?.()
    return Promise.resolve()
  }

  #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.push(chunk)) this.#receive(line)
  }

  #onEnd = (): void => {
    if (this.#inputEnded || this.#closed) return
    this.#inputEnded = true
    for (const line of this.#lines.end()) this.#receive(line)
    const { drainTimeoutMs, isOrphan } = this.#options
    this.#timers = [
      setTimeout(() => void this.close(), drainTimeoutMs),
      setInterval(() => {
        if (isOrphan()) void this.close()
      }, orphanPollMs),
    ]
    this.#closeWhenDrained()
  }

  #onInputError = (error: Error): void => {
    this.onerror?.(error)
    this.#onEnd()
  }

  #onOutputError = (error: Error): void => {
    this.onerror?.(error)
    void this.close()
  }

  #receive(line: Line): void {
    if (this.#closed) return
    if (line.kind === 'too-long') {
      const message = `A message may have at most ${this.#options.maxLineBytes} bytes`
      this.#refuse(INVALID_REQUEST, message, idOfEnds(line.head, line.tail))
      return
    }
    if (line.text.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(line.text)
    } catch {
      this.#refuse(PARSE_ERROR, 'Parse error: the line is not valid JSON')
      return
    }
    this.#deliver(value)
  }

  #deliver(value: unknown): void {
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(value)
    } catch {
      this.#refuse(INVALID_REQUEST, 'Invalid Request: the line is not one JSON-RPC message')
      return
    }
    // A subscription is answered when the connection ends; nobody waits for it.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#inFlight.add(message.id)
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const cancelled = message.params?.['requestId']
      // Its handler is stopped and never answers.
      if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#settle(cancelled)
    }
    this.onmessage?.(message)
  }

  #refuse(code: number, message: string, id?: RequestId): void {
    const error = { code, message }
    const refusal = { jsonrpc: '2.0', id: id ?? null, error }
    this.#writing += 1
    this.#options.output.write(`${JSON.stringify(refusal)}\n`, () => {
      this.#writing -= 1
      this.#closeWhenDrained()
    })
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#inFlight.delete(id)
    this.#closeWhenDrained()
  }

  #closeWhenDrained(): void {
    if (this.#inputEnded && this.#inFlight.size === 0 && this.#writing === 0) void this.close()
  }
}
