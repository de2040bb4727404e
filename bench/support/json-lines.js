// A child that speaks JSON-RPC in lines, without a client's own cost.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'

export function startServer(args, options = {}) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], ...options })
  const waiting = new Map()
  let id = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return {
    pid: child.pid,
    request(method, params = {}) {
      const number = ++id
      const answered = new Promise((resolve) => waiting.set(number, resolve))
      send({ id: number, method, params })
      return answered.then((message) => {
        if (message.error !== undefined) throw new Error(JSON.stringify(message.error))
        return message.result
      })
    },
    notify: (method) => send({ method }),
    /** Resolves when the process is gone. */
    stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.stdin.end()
      return gone
    },
  }
}

/** initialize of the 2025 era. */
export async function initialize(server) {
  await server.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  })
  server.notify('notifications/initialized')
}

/** Resident memory of a process and its children, in MB; each process by its pid. Linux only. */
export function residentMb(pid) {
  const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return own + children.reduce((total, child) => total + residentMb(child), 0)
}
