/** Formats in which a kept result can be read as a file. */
export type ResultFormat = 'json' | 'csv' | 'parquet'

/** The resource of a kept result: a page of rows as JSON, or with a format the whole as a file. */
export function resultUri(result: string, format?: ResultFormat): string {
  const base = `querent://results/${encodeURIComponent(result)}`
  return format === undefined ? base : `${base}/${format}`
}

/** What a uri that `resultUri` made stands for, else undefined. */
export function parseResultUri(uri: string): { readonly result: string; readonly format?: ResultFormat } | undefined {
  const match = /^querent:\/\/results\/([^/?#]+)(?:\/(json|csv|parquet))?$/.exec(uri)
  const result = decode(match?.[1])
  if (result === undefined) return undefined
  return match?.[2] === undefined ? { result } : { result, format: match[2] as ResultFormat }
}

export function tableUri(table: string): string {
  return `querent://tables/${encodeURIComponent(table)}`
}

/** The table that a uri that `tableUri` made names, else undefined. */
export function parseTableUri(uri: string): string | undefined {
  return decode(/^querent:\/\/tables\/([^/?#]+)$/.exec(uri)?.[1])
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
