/**
 * Who can mend it. `user`: the statement or the workspace file; `limit`: ask for less; `policy`: not allowed;
 * `external`: a source or the machine; `timeout`: time ran out or the caller cancelled; `internal`: a fault of Querent.
 */
export type ErrorCategory = 'user' | 'limit' | 'policy' | 'external' | 'timeout' | 'internal'

/** The engine's class of an error, as answers show it in `errorType`. */
export type ErrorType =
  | 'ParserException'
  | 'CatalogException'
  | 'BinderException'
  | 'ConversionException'
  | 'ConstraintException'
  | 'OutOfMemoryException'
  | 'IOException'
  | 'PermissionException'
  | 'TimeoutException'
  | 'CancelledException'
  | 'LimitException'
  | 'SourceException'
  | 'ConfigException'
  | 'InvalidInputException'
  | 'InternalException'
