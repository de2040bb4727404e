/** A comment: Node sends a response's headers with the first bytes of its body, and a stream may be silent for long. */
const opening = new TextEncoder().encode(': open\n\n')

/**
 * The same response, whose stream also ends when the client is gone; `done` is called once, when nothing more of it
 * will be sent.
 */
export function followResponse(response: Response, signal: AbortSignal, done: () => void): Response {
  const { body } = response
  if (body === null) {
    done()
    return response
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  let finished = false
  const finish = (): void => {
    if (finished) return
    finished = true
    signal.removeEventListener('abort', leave)
    done()
  }
  const leave = (): void => {
    finish()
    // The source may have ended by itself; then there is nothing to cancel.
    reader.cancel().catch(() => undefined)
  }
  const followed = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (isEventStream(response)) controller.enqueue(opening)
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    },
    pull: async (controller) => {
      const chunk = await reader.read()
      if (!chunk.done) {
        controller.enqueue(chunk.value)
        return
      }
      finish()
      controller.close()
    },
    cancel: leave,
  })
  return new Response(followed, response)
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true
}
