import { expect, it } from 'vitest'
import type { CheckFinding } from '../../../workspace/workspace.js'
import { checkExitCode, checkLines, findingLines } from './check-text.js'

const error = (code: string, facts: Partial<CheckFinding> = {}): CheckFinding => ({
  severity: 'error',
  subject: 's',
  message: 'm',
  code,
  ...facts,
})

it.each<[string, readonly CheckFinding[], number]>([
  ['nothing', [], 0],
  ['a warning', [{ severity: 'warning', subject: 's', message: 'm' }], 0],
  ['an example that fails', [error('source.server_error', { example: true })], 1],
  ['a file that does not parse', [error('file.bad_csv')], 1],
  ['a declaration that its source does not bear out', [error('file.missing_column')], 2],
  ['a source that is down', [error('net.connect')], 4],
  ['a source that is down, and its example', [error('sql.binder', { example: true }), error('net.connect')], 4],
  ['a wrong declaration beside a source that is down', [error('net.connect'), error('file.unknown_type')], 2],
])('%s', (_, findings, code) => {
  expect(checkExitCode({ ok: code === 0, findings })).toBe(code)
})

it('shows texts from outside without what they may do to a terminal', () => {
  const findings = [error('net.connect', { subject: 's\u001b', message: 'm\u202e\n', hint: 'h\r' })]
  expect([...checkLines({ ok: false, findings })].join('')).toBe('error   s\\x1b: m\\u202e\\n\n        hint: h\\r\n')
  const places = [...findingLines([{ file: '/x/\u001b.yaml', line: 2, column: 3, message: 'bad' }])].join('')
  expect(places).toContain('\\x1b.yaml:2:3: bad\n')
})
