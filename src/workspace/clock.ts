/** Now, as the engine's clock takes it: `2026-01-31 12:00:00.123000+00`. */
export function clockText(date: Date): string {
  return `${date.toISOString().replace('T', ' ').replace('Z', '')}000+00`
}
