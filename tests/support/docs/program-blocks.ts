import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { root, type PageFolder } from './page-folder.js'

/** A `ts` block of a page, to be checked against the package's own types and run. */
export interface ProgramBlock {
  readonly name: string
  readonly text: string
}

/** Messages of the compiler for all programs together: each is a module beside the package. */
export function typeFaults(programs: readonly ProgramBlock[]): readonly string[] {
  const options: ts.CompilerOptions = { ...strictOptions(), noEmit: true }
  const host = ts.createCompilerHost(options)
  const texts = new Map(programs.map(({ name, text }) => [join(root, 'docs', name), text]))
  const readFile = host.readFile.bind(host)
  const fileExists = host.fileExists.bind(host)
  host.readFile = (file) => texts.get(file) ?? readFile(file)
  host.fileExists = (file) => texts.has(file) || fileExists(file)
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const text = texts.get(file)
    return text === undefined
      ? getSourceFile(file, languageVersion, ...rest)
      : ts.createSourceFile(file, text, languageVersion)
  }
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([...texts.keys()], options, host))
  return diagnostics.map((diagnostic) => ts.formatDiagnostic(diagnostic, host).trim())
}

function strictOptions(): ts.CompilerOptions {
  const file = join(root, 'tsconfig.json')
  const { config } = ts.parseConfigFileTextToJson(file, readFileSync(file, 'utf8')) as { config: unknown }
  return ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root).options
}

/** What a program prints when it is run in the folder of `examples/shop`. Rejects when it fails. */
export async function runProgramBlock(folder: PageFolder, { name, text }: ProgramBlock): Promise<string> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  })
  const file = join(folder.shop, name.replace(/\.ts$/, '.mjs'))
  writeFileSync(file, outputText)
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder.shop, env: folder.env })
  return stdout
}
