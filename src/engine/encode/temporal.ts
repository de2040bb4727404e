/** Dates and times as DuckDB prints them. Numbers where they are exact, BigInts beyond. */

const daysPerEra = 146_097
const infiniteDays = 2_147_483_647
const infiniteTicks = 2n ** 63n - 1n

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

/** Proleptic Gregorian date of a day count from 1970-01-01, by whole eras of 400 years. */
export function dateText(days: number): string {
  if (days === infiniteDays) return 'infinity'
  if (days === -infiniteDays) return '-infinity'
  const shifted = days + 719_468
  const era = Math.floor(shifted / daysPerEra)
  const dayOfEra = shifted - era * daysPerEra
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  // Months count from March, so that the leap day ends the year.
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const shownYear = String(year > 0 ? year : 1 - year).padStart(4, '0')
  return `${shownYear}-${two(month)}-${two(day)}${year > 0 ? '' : ' (BC)'}`
}

/** Digits of a fraction of a second, trailing zeros dropped; empty for none. */
function fractionText(fraction: number, digits: number): string {
  if (fraction === 0) return ''
  const text = String(fraction).padStart(digits, '0')
  let end = text.length
  while (text.charCodeAt(end - 1) === 0x30) end--
  return `.${text.slice(0, end)}`
}

/** `ticks` since midnight; `digits` of a second's fraction: 6 for microseconds. Hours may pass 24, as in intervals. */
function clockText(ticks: number, digits: number): string {
  const perSecond = 10 ** digits
  const seconds = Math.floor(ticks / perSecond)
  const fraction = fractionText(ticks - seconds * perSecond, digits)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return `${two(hours)}:${two(minutes)}:${two(seconds % 60)}${fraction}`
}

export function timeText(micros: number): string {
  return clockText(micros, 6)
}

export function timeNsText(nanos: number): string {
  return clockText(nanos, 9)
}

/** Days and ticks of the day of a 64-bit count of ticks from 1970-01-01. */
function splitTicks(ticks: number | bigint, ticksPerDay: number): readonly [days: number, ofDay: number] {
  if (typeof ticks === 'number') {
    const days = Math.floor(ticks / ticksPerDay)
    return [days, ticks - days * ticksPerDay]
  }
  const perDay = BigInt(ticksPerDay)
  let days = ticks / perDay
  if (days * perDay > ticks) days--
  return [Number(days), Number(ticks - days * perDay)]
}

/** Prints timestamps of one unit; remembers the last day, which neighbouring rows mostly share. */
export function timestampPrinter(digits: number, zone = ''): (ticks: number | bigint) => string {
  const ticksPerDay = 86_400 * 10 ** digits
  let lastDay = Number.NaN
  let lastDate = ''
  return (ticks) => {
    if (ticks === infiniteTicks) return 'infinity'
    if (ticks === -infiniteTicks) return '-infinity'
    const [days, ofDay] = splitTicks(ticks, ticksPerDay)
    if (days !== lastDay) {
      lastDay = days
      lastDate = dateText(days)
    }
    // The era stands last: `0044-03-15 (BC) 10:00:00`.
    return `${lastDate} ${clockText(ofDay, digits)}${zone}`
  }
}

const greatestOffset = 16 * 3600 - 1

/** TIME WITH TIME ZONE: 40 bits of microseconds, 24 bits of the inverted offset in seconds. */
export function timeTzText(bits: bigint): string {
  const micros = Number(bits >> 24n)
  const offset = greatestOffset - Number(bits & 0xffffffn)
  const seconds = Math.abs(offset)
  const minutesPart = Math.floor(seconds / 60) % 60
  const secondsPart = seconds % 60
  let zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(seconds / 3600))}`
  if (minutesPart !== 0 || secondsPart !== 0) zone += `:${two(minutesPart)}`
  if (secondsPart !== 0) zone += `:${two(secondsPart)}`
  return `${timeText(micros)}${zone}`
}

/** INTERVAL: `1 year 2 months 3 days 04:05:06.7`; an empty one is `00:00:00`. */
export function intervalText(months: number, days: number, micros: number | bigint): string {
  const parts: string[] = []
  addUnit(parts, Math.trunc(months / 12), 'year')
  addUnit(parts, months % 12, 'month')
  addUnit(parts, days, 'day')
  if (micros < 0) parts.push(`-${intervalClock(-micros)}`)
  else if (micros > 0 || parts.length === 0) parts.push(intervalClock(micros))
  return parts.join(' ')
}

function intervalClock(micros: number | bigint): string {
  if (typeof micros === 'number') return timeText(micros)
  const hours = micros / 3_600_000_000n
  const rest = timeText(Number(micros % 3_600_000_000n))
  return `${hours.toString()}${rest.slice(2)}`
}

function addUnit(parts: string[], count: number, unit: string): void {
  if (count !== 0) parts.push(`${count} ${unit}${count === 1 || count === -1 ? '' : 's'}`)
}
