/** Digits and decimal exponent of a positive finite number: 123.4 is `1234` and 2. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

/** A DOUBLE as DuckDB prints it: `1.0`, `1e+16`, `1.5e-05`, `nan`, `-inf`. */
export function doubleText(value: number): string {
  return realText(value, (size) => size.toExponential())
}

/** A FLOAT, given as the double it widens to, as DuckDB prints it: `0.1` for 0.10000000149011612. */
export function floatText(value: number): string {
  return realText(value, shortestFloat)
}

function realText(value: number, toExponential: (size: number) => string): string {
  if (Number.isNaN(value)) return 'nan'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const size = Math.abs(value)
  if (size === Number.POSITIVE_INFINITY) return `${sign}inf`
  return sign + decimalText(splitExponential(toExponential(size)))
}

/** Nine digits always tell two FLOATs apart. */
function shortestFloat(size: number): string {
  for (let digits = 0; digits < 8; digits++) {
    const text = size.toExponential(digits)
    if (Math.fround(Number(text)) === size) return text
  }
  return size.toExponential(8)
}

function splitExponential(text: string): Decimal {
  const [mantissa = '', exponent = ''] = text.split('e')
  return { digits: mantissa.replace('.', '').replace(/(?<=.)0+$/, ''), exponent: Number(exponent) }
}

function decimalText({ digits, exponent }: Decimal): string {
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    const power = String(Math.abs(exponent)).padStart(2, '0')
    return `${digits.slice(0, 1)}${fraction}e${exponent < 0 ? '-' : '+'}${power}`
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${whole}.${digits.slice(exponent + 1) || '0'}`
}
