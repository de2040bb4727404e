import { expect, it } from 'vitest'
import { parseAddress } from './parse-address.js'

it.each([
  ['8080', { port: 8080 }],
  [':8080', { port: 8080 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['[::1]:65535', { host: '::1', port: 65535 }],
])('%s', (text, address) => {
  expect(parseAddress(text)).toEqual(address)
})

it.each(['', 'localhost', '65536', '::1:80', 'a:b', '-1', '80 '])('refuses %j', (text) => {
  expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'config.usage' }))
})
