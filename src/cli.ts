#!/usr/bin/env node
import { claimStdout } from './surfaces/mcp/stdio/claim-stdout.js'

// Serving MCP over stdio, standard output is the protocol's before anything that may print is imported.
const args = process.argv.slice(2)
const isElsewhere = (arg: string): boolean => /^(?:--http(?:=.*)?|-h|--help)$/.test(arg)
if (args[0] === 'serve' && !args.some(isElsewhere)) claimStdout()

const { processOutput } = await import('./surfaces/cli/output.js')
const { runProgram } = await import('./surfaces/cli/program.js')
process.stdout.on('error', () => undefined)
process.exitCode = await runProgram(args, processOutput())
