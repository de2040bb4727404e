import { DuckDBTypeId, type DuckDBDataChunk, type DuckDBType } from '@duckdb/node-api'
import { CellLimit } from './cell-limit.js'
import { cellWriter, type WriteItem } from './cell-writer.js'
import { limitedTextWriter } from './limited-text.js'
import type { AnyVector } from './vector-data.js'

export interface RowEncoderOptions {
  /**
   * Characters of one cell, as its JSON stands escaped inside a JSON string: a cell beyond is replaced by the start of
   * its text and `… [shortened from <n> characters]`, which is at least that marker.
   */
  readonly maxCellChars: number
}

/** Writes a result's rows as JSON. One per result. */
export interface RowEncoder {
  /** One JSON array per row `[from, to)` of the chunk; all rows by default. */
  encodeChunk(chunk: DuckDBDataChunk, from?: number, to?: number): string[]
  /** Cells shortened so far. */
  readonly shortenedCells: number
}

/** `types`: the result's column types (`result.columnTypes()`); a chunk's vectors do not know which text is JSON. */
export function createRowEncoder(types: readonly DuckDBType[], options: RowEncoderOptions): RowEncoder {
  const limit = new CellLimit(options.maxCellChars)
  return {
    encodeChunk(chunk, from = 0, to = chunk.rowCount) {
      const rows: string[] = new Array<string>(Math.max(0, to - from)).fill('')
      for (const [column, type] of types.entries()) {
        const write = columnWriter(type, chunk.getColumnVector(column), limit)
        const lead = column === 0 ? '[' : ','
        for (let row = from; row < to; row++) rows[row - from] = (rows[row - from] ?? '') + lead + write(row)
      }
      return rows.map((row) => (row === '' ? '[]' : `${row}]`))
    },
    get shortenedCells() {
      return limit.shortenedCells
    },
  }
}

/** Types whose values have no natural bound. */
const unbounded: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGNUM,
  DuckDBTypeId.BIT,
  DuckDBTypeId.ENUM,
  DuckDBTypeId.GEOMETRY,
  DuckDBTypeId.LIST,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.MAP,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.UNION,
  DuckDBTypeId.VARIANT,
])

function columnWriter(type: DuckDBType, vector: AnyVector, limit: CellLimit): WriteItem {
  if (type.typeId === DuckDBTypeId.VARCHAR || type.typeId === DuckDBTypeId.BLOB) {
    return limitedTextWriter(type, vector, limit)
  }
  const write = cellWriter(type, vector, limit)
  return unbounded.has(type.typeId) ? (index) => limit.apply(write(index)) : write
}
