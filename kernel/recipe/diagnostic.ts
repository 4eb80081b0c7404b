import { dotted, type Path, type SourceLocation } from './tree.ts'

/** Codes of the kernel. Services and modules add their own. */
export type KernelDiagnosticCode =
  | 'circular_ports'
  | 'circular_roles'
  | 'circular_services'
  | 'duplicate_key'
  | 'duplicate_name'
  | 'duplicate_port'
  | 'duplicate_section'
  | 'empty_role'
  | 'inexact_number'
  | 'invalid_action'
  | 'invalid_extends'
  | 'invalid_grant'
  | 'invalid_include'
  | 'invalid_key'
  | 'invalid_schema'
  | 'invalid_text'
  | 'invalid_use'
  | 'invalid_value'
  | 'invalid_variable'
  | 'invalid_yaml'
  | 'literal_secret'
  | 'load_failed'
  | 'missing_key'
  | 'missing_port'
  | 'name_mismatch'
  | 'not_a_map'
  | 'package_missing'
  | 'role_redefined'
  | 'rule_violated'
  | 'start_refused'
  | 'too_deep'
  | 'too_large'
  | 'undeclared_port'
  | 'unknown_dependency'
  | 'unknown_key'
  | 'unknown_module'
  | 'unknown_permission'
  | 'unknown_role'
  | 'unknown_service'
  | 'unquoted_color'
  | 'unreadable_file'
  | 'unset_variable'
  | 'unsupported_yaml'

/** A problem of a recipe and its location. Lines and columns count from 1; `file` is absolute. */
export interface Diagnostic extends SourceLocation {
  readonly severity: 'error' | 'warning'
  /** Stable: tools may match on it. A DiagnosticCode, or a code of a service or module. */
  readonly code: string
  /** Path in the recipe, e.g. `modules.comms.from`; empty for the recipe as a whole. */
  readonly path: string
  readonly message: string
  /** How to fix it. */
  readonly hint?: string
}

export const diagnosticAt = (
  code: string,
  { file, line, column }: SourceLocation,
  path: Path,
  message: string,
  hint?: string,
  severity: Diagnostic['severity'] = 'error',
): Diagnostic => ({
  severity,
  code,
  file,
  line,
  column,
  path: dotted(path),
  message,
  ...(hint && { hint }),
})
