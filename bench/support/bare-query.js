// What a program of its own does for one query: import the binding, open DuckDB, run, print.
import console from 'node:console'
import process from 'node:process'
import { DuckDBInstance } from '@duckdb/node-api'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
const reader = await connection.runAndReadAll(process.argv[2])
console.log(JSON.stringify(reader.getRowsJson()))
