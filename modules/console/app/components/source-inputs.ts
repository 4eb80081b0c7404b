import { type ComponentType, createContext } from 'react'
import type { CollectionField } from '../data/collection.ts'
import type { Field, FormValue } from '../data/form-model.ts'

export interface SourceInputProps {
  readonly id: string
  readonly label: string
  readonly field: CollectionField
  /** An ID of a row, a member or a file, or a list of them; empty for none. */
  readonly value: FormValue
  readonly isRequired?: boolean
  readonly describedBy?: string | undefined
  readonly onChange: (value: FormValue) => void
}
/** Inputs that load what they offer. They open forms themselves, so the shell provides them. */
export const SourceInputs = createContext<Readonly<Partial<Record<Field['kind'], ComponentType<SourceInputProps>>>>>({})
