/** The variables that a default can name. Pure. */
import type { DefaultVariable, FieldType } from './collection.ts'

const VARIABLES: { readonly [Type in FieldType]?: readonly DefaultVariable[] } = {
  datetime: ['$now'],
  date: ['$today', '$now'],
  member: ['$member'],
  text: ['$user'],
}
export const DEFAULT_VARIABLES: readonly DefaultVariable[] = ['$now', '$today', '$member', '$user']

/** Those that can be the default of a field of this type. */
export const defaultVariables = (type: FieldType): readonly DefaultVariable[] => VARIABLES[type] ?? []
