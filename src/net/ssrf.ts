import { lookup as resolve, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** IPv4 ranges that are not on the public internet: IANA's special-purpose registry, multicast and class E. */
const reservedV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Parts of 2000::/3 that are not public: Teredo and other protocol assignments, documentation, 6to4. */
const reservedV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const blockedV4 = new BlockList()
for (const [network, bits] of reservedV4) blockedV4.addSubnet(network, bits, 'ipv4')
const blockedV6 = new BlockList()
for (const [network, bits] of reservedV6) blockedV6.addSubnet(network, bits, 'ipv6')
const globalV6 = new BlockList()
globalV6.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether a literal address is on the public internet. An IPv6 address that carries an IPv4 address (mapped, or NAT64's
 * 64:ff9b::/96) is judged by that. Anything that is not an address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return !blockedV4.check(bare, 'ipv4')
  if (family !== 6) return false
  const embedded = embeddedV4(bare)
  if (embedded !== undefined) return isPublicAddress(embedded)
  return globalV6.check(bare, 'ipv6') && !blockedV6.check(bare, 'ipv6')
}

function embeddedV4(address: string): string | undefined {
  const groups = groupsOf(address)
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  const nat64 = groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0)
  if (!mapped && !nat64) return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/** The eight 16-bit groups. The URL parser writes the dotted form as hexadecimal groups. */
function groupsOf(address: string): readonly number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const before = parse(head)
  if (tail === undefined) return before
  const after = parse(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

/** What a guarded lookup fails with; the client turns it into `net.blocked_address`. */
export const blockedAddressCode = 'EBLOCKEDADDRESS'

export function blockedAddress(host: string): NodeJS.ErrnoException {
  return Object.assign(new TypeError(`${host} is not a public address`), { code: blockedAddressCode })
}

/**
 * A lookup for `net.connect` that fails when any address of the name is not public. The socket connects to the very
 * addresses that were judged, so a second answer of the name server changes nothing.
 */
export function guardedLookup(lookup: LookupFunction = resolve): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '')
        return
      }
      const addresses: readonly LookupAddress[] = typeof found === 'string' ? [] : found
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        callback(blockedAddress(host), '')
      } else if (options.all === true) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    })
  }
}
