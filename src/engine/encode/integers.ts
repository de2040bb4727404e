const twoTo32 = 2 ** 32
/** High halves within ±2^20 make 64-bit values that a double holds exactly. */
const exactHigh = 2 ** 20

/** Reads item `index` as a number where that is exact, as a BigInt beyond. */
export type ReadInteger = (index: number) => number | bigint

export function int64Reader(memory: DataView): ReadInteger {
  return (index) => {
    const high = memory.getInt32(index * 8 + 4, true)
    if (high >= -exactHigh && high < exactHigh) return high * twoTo32 + memory.getUint32(index * 8, true)
    return memory.getBigInt64(index * 8, true)
  }
}

export function uint64Reader(memory: DataView): ReadInteger {
  return (index) => {
    const high = memory.getUint32(index * 8 + 4, true)
    return high < exactHigh ? high * twoTo32 + memory.getUint32(index * 8, true) : memory.getBigUint64(index * 8, true)
  }
}

/** The 16 bytes at `at` as HUGEINT. */
export function int128At(memory: DataView, at: number): bigint {
  return (memory.getBigInt64(at + 8, true) << 64n) | memory.getBigUint64(at, true)
}

/** The 16 bytes at `at` as UHUGEINT. */
export function uint128At(memory: DataView, at: number): bigint {
  return (memory.getBigUint64(at + 8, true) << 64n) | memory.getBigUint64(at, true)
}

/** JSON of an integer: a number within ±(2^53−1), a string beyond. */
export function integerJson(value: number | bigint): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) return value.toString()
  return `"${value.toString()}"`
}

/** A scaled integer as decimal text: -5 at scale 2 is `-0.05`. */
export function decimalText(value: number | bigint, scale: number): string {
  if (scale === 0) return value.toString()
  const negative = value < 0
  const digits = (negative ? -value : value).toString().padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function pair(byte: number): string {
  return hexPairs[byte & 0xff] ?? ''
}

function hex16(word: number): string {
  return pair(word >>> 8) + pair(word)
}

/** The 16 bytes at `at` as UUID text. The top bit is stored flipped, so that UUIDs sort as integers. */
export function uuidAt(memory: DataView, at: number): string {
  const a = memory.getInt32(at + 12, true) ^ 0x80000000
  const b = memory.getInt32(at + 8, true)
  const c = memory.getInt32(at + 4, true)
  const d = memory.getInt32(at, true)
  const head = hex16(a >>> 16) + hex16(a)
  return `${head}-${hex16(b >>> 16)}-${hex16(b)}-${hex16(c >>> 16)}-${hex16(c)}${hex16(d >>> 16)}${hex16(d)}`
}
