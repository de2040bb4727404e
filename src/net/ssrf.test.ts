import { expect, test } from 'vitest'
import { HostPolicy, parseAllowedHost } from './host-policy.js'
import { isPublicAddress } from './ssrf.js'

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.9.9.9',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '::7f00:1',
  '100::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'localhost',
  '',
  '127.1',
  '0x7f.0.0.1',
  '1.2.3.4.5',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '93.184.215.14',
  '100.63.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '2a00:1450:4001::1',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test('a policy names the base host at its port, and the allowed hosts', () => {
  const policy = new HostPolicy(new URL('https://api.example.com/v1'), [
    'other.example.com',
    'x.test:8443',
    '*.cdn.test',
    '[::1]:81',
  ])
  const trust = (url: string): string => policy.trustOf(new URL(url))
  expect(trust('https://API.example.com./v2')).toBe('named')
  expect(trust('https://api.example.com:8080/')).toBe('refused')
  expect(trust('http://api.example.com/')).toBe('refused')
  expect(trust('https://other.example.com:9000/')).toBe('named')
  expect(trust('https://x.test:8443/')).toBe('named')
  expect(trust('https://x.test/')).toBe('refused')
  expect(trust('https://a.b.cdn.test/')).toBe('public')
  expect(trust('https://cdn.test/')).toBe('refused')
  expect(trust('https://evilcdn.test/')).toBe('refused')
  expect(trust('https://a.cdn.test:22/')).toBe('refused')
  expect(trust('https://[::1]:81/')).toBe('named')
  expect(trust('https://api.example.com.evil.test/')).toBe('refused')
  expect(trust('https://api.example.com@evil.test/')).toBe('refused')
  expect(policy.isCredentialOrigin(new URL('https://api.example.com/x'))).toBe(true)
  expect(policy.isCredentialOrigin(new URL('https://other.example.com/x'))).toBe(false)
})

test.each(['', '*', 'https://x', 'a b', 'a/b', '*.1.2.3.4', 'x:port', 'user@x', '**.x', 'a.*.b'])(
  '%j is no allowed host',
  (text) => {
    expect(parseAllowedHost(text)).toBeUndefined()
  },
)
