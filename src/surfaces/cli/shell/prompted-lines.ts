import { createInterface, type Interface } from 'node:readline'
import type { Workspace } from '../../../workspace/workspace.js'
import type { Output } from '../output.js'
import { completionWords, wordsOf, type CompletionWords } from './completion-words.js'
import { HistoryFile, historyLength } from './history-file.js'

export interface PromptOptions {
  readonly input: NodeJS.ReadableStream
  readonly output: Output
  readonly signal: AbortSignal
}

/**
 * Lines typed on a terminal, with history and completion. Keys are read also while a statement runs, so that Ctrl-C
 * reaches it and lines typed ahead wait for their turn.
 */
export class PromptedLines implements AsyncIterable<string> {
  readonly #interface: Interface
  readonly #stop: () => void
  #words: Promise<CompletionWords>
  #onInterrupt: () => void = () => undefined

  constructor(workspace: Workspace, { input, output, signal }: PromptOptions) {
    const history = new HistoryFile()
    const learn = (): Promise<CompletionWords> => completionWords(workspace, signal).catch(() => wordsOf([]))
    this.#words = learn()
    const forget = workspace.onChanged(() => {
      this.#words = learn()
    })
    this.#interface = createInterface({
      input,
      output: output.out,
      terminal: true,
      history: history.read(),
      historySize: historyLength,
      removeHistoryDuplicates: true,
      completer: (line: string, done: (error: null, result: [string[], string]) => void) => {
        void this.#words.then((words) => {
          done(null, words.complete(line))
        })
      },
    })
    this.#interface.on('history', (lines) => {
      history.write(lines)
    })
    this.#interface.on('SIGINT', () => {
      this.#onInterrupt()
    })
    const close = (): void => {
      this.#interface.close()
    }
    signal.addEventListener('abort', close)
    this.#stop = () => {
      signal.removeEventListener('abort', close)
      forget()
    }
  }

  /** What Ctrl-C does. */
  set onInterrupt(act: () => void) {
    this.#onInterrupt = act
  }

  /** Shows a prompt; what was typed ahead stays. */
  ask(prompt: string): void {
    this.#interface.setPrompt(prompt)
    this.#interface.prompt(true)
  }

  /** Drops the line that is being typed. */
  clearLine(): void {
    this.#interface.write(null, { ctrl: true, name: 'e' })
    this.#interface.write(null, { ctrl: true, name: 'u' })
  }

  close(): void {
    this.#stop()
    this.#interface.close()
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.#interface[Symbol.asyncIterator]()
  }
}
