import { dotted, type Path, type SourceLocation } from './tree.ts'

export type DiagnosticCode =
  | 'circular_ports'
  | 'duplicate_key'
  | 'duplicate_name'
  | 'duplicate_port'
  | 'duplicate_section'
  | 'invalid_extends'
  | 'invalid_grant'
  | 'invalid_include'
  | 'invalid_key'
  | 'invalid_schema'
  | 'invalid_use'
  | 'invalid_value'
  | 'invalid_variable'
  | 'invalid_yaml'
  | 'load_failed'
  | 'missing_key'
  | 'missing_port'
  | 'name_mismatch'
  | 'not_a_map'
  | 'role_redefined'
  | 'rule_violated'
  | 'too_deep'
  | 'too_large'
  | 'undeclared_port'
  | 'unknown_key'
  | 'unknown_module'
  | 'unknown_permission'
  | 'unknown_service'
  | 'unreadable_file'
  | 'unset_variable'
  | 'unsupported_yaml'

/** A problem of a recipe and its location. Lines and columns count from 1; `file` is absolute. */
export interface Diagnostic extends SourceLocation {
  /** Stable: tools may match on it. */
  readonly code: DiagnosticCode
  /** Path in the recipe, e.g. `modules.comms.from`; empty for the recipe as a whole. */
  readonly path: string
  readonly message: string
  /** How to fix it. */
  readonly hint?: string
}

export const diagnosticAt = (
  code: DiagnosticCode,
  { file, line, column }: SourceLocation,
  path: Path,
  message: string,
  hint?: string,
): Diagnostic => ({
  code,
  file,
  line,
  column,
  path: dotted(path),
  message,
  ...(hint && { hint }),
})
