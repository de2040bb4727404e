import { define } from './entry.js'

/** The workspace file and the command line. */
export const configErrors = define({
  'config.invalid': { category: 'user', errorType: 'ConfigException', message: '{message}', hint: '{hint}' },
  'config.not_found': {
    category: 'user',
    errorType: 'ConfigException',
    message: '{message}',
    hint: 'Write one with `querent init`, name one with --config FILE, or name files and databases directly, such as `querent query "…" data/*.csv`.',
  },
  'config.unreadable': {
    category: 'user',
    errorType: 'ConfigException',
    message: 'Cannot read the workspace file {path}: {reason}.',
    hint: 'Check that the file is there and that you may read it.',
  },
  'config.untrusted': {
    category: 'user',
    errorType: 'ConfigException',
    message: 'The workspace file {path} was found, not named, and has not been accepted on this machine. It {needs}.',
    hint: 'Read the file; then accept it once with `querent trust`, or name it with --config {path}. A change of the file asks again.',
  },
  'config.foreign_owner': {
    category: 'user',
    errorType: 'ConfigException',
    message: 'The workspace file {path} was found, not named, and belongs to another user.',
    hint: 'Read the file; if you want it, name it with --config {path}.',
  },
  'config.trust_unwritable': {
    category: 'user',
    errorType: 'ConfigException',
    message: 'Cannot record that {path} is trusted: {reason}.',
    hint: 'Check that {folder} can be written by you alone.',
  },
  'config.kind_unavailable': {
    category: 'user',
    errorType: 'ConfigException',
    message: '{argument} needs a source of kind {kind}, which this version of Querent does not have.',
    hint: 'Kinds that are here: {kinds}.',
  },
  'config.argument': {
    category: 'user',
    errorType: 'ConfigException',
    message: 'Cannot use {argument} as a source: {reason}.',
    hint: 'Name a data file (.csv, .tsv, .json, .ndjson, .parquet), a folder or pattern of them, a .duckdb file, or a database URL.',
  },
  'config.usage': {
    category: 'user',
    errorType: 'ConfigException',
    message: '{message}',
    hint: 'Run `querent --help`, or `querent <command> --help`, for the options and examples.',
  },
})
