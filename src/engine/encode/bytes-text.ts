/** BIT: the first byte counts the unused bits at the start. */
export function bitText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 1; at < bytes.length; at++) text += (bytes[at] ?? 0).toString(2).padStart(8, '0')
  return text.slice(bytes[0] ?? 0)
}

/** BIGNUM: three bytes of sign and length, then the magnitude, most significant first; all inverted where negative. */
export function bignumText(bytes: Uint8Array): string {
  const negative = ((bytes[0] ?? 0) & 0x80) === 0
  let hex = '0x0'
  for (let at = 3; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    hex += (negative ? byte ^ 0xff : byte).toString(16).padStart(2, '0')
  }
  const magnitude = BigInt(hex)
  return (negative ? -magnitude : magnitude).toString()
}
