/** Compares the forms of a recipe with those in the database. Pure. */

import { createHash } from 'node:crypto'
import { diffManagedRows, type ManagedRowsDiff } from '@larder-dev/larder/kernel/internal'
import type { KeyedFormRow } from '../services/form-repository.ts'
import { type FormContent, toFormContent } from '../services/form-service.ts'
import type { Sections } from './sections.ts'

export interface DeclaredForm {
  readonly key: string
  readonly content: FormContent
  readonly hash: string
}
export type FormsDiff = ManagedRowsDiff<DeclaredForm, KeyedFormRow>

/** A form that left the recipe is released if it has submissions, and adopted again if it comes back. */
export function diffForms(forms: Sections['forms'], rows: readonly KeyedFormRow[]): FormsDiff {
  const declared = Object.entries(forms).map(([key, form]): [string, DeclaredForm] => {
    const content = toFormContent(form)
    return [key, { key, content, hash: hashOf(content) }]
  })
  return diffManagedRows(new Map(declared), rows, {
    keyOf: ({ key }) => key ?? '',
    isReleased: ({ submissions }) => submissions > 0,
  })
}

/** Depends on the order of fields, which is their order on the page. */
const hashOf = (content: FormContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url')
