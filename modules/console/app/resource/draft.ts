/** What is typed into the form of a record, and the version of the record that it started from. */
import { useState } from 'react'
import { type Answer, callApi } from '../data/api.ts'
import { type Field, type FormValues, formValues, isSame } from '../data/form-model.ts'
import { mergeEdits } from '../data/merge.ts'
import { isStatus } from '../data/problem.ts'
import { type Resource, type Row, recordPath, type Scope } from '../data/resources.ts'

export interface DraftVersion<R extends Row = Row> {
  readonly body: R | undefined
  readonly etag: string | null | undefined
  readonly values: FormValues
}
export interface Conflict<R extends Row = Row> {
  /** The version that the rejected change started from. */
  readonly from: DraftVersion<R>
  readonly current: DraftVersion<R>
}
export interface Draft<R extends Row = Row> {
  readonly fields: readonly Field[]
  readonly version: DraftVersion<R>
  readonly values: FormValues
  readonly isDirty: boolean
  readonly conflict: Conflict<R> | undefined
  readonly setValues: (values: FormValues) => void
  /** Shows a saved or newer version. What was typed since `sent` stays; without it, everything is replaced. */
  readonly adopt: (saved: Answer<R>, sent?: FormValues) => DraftVersion<R>
  /** Closes the conflict. With merged values, the draft continues from the current version of the record. */
  readonly resolve: (merged?: FormValues) => void
  /** Sends a change of `from`. If the record has changed since (412), the conflict is set and the result is undefined. */
  readonly send: (call: Change, from: DraftVersion<R>) => Promise<Answer<R> | undefined>
}
interface Change {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}
interface Start<R extends Row> {
  readonly resource: Resource
  /** Empty for a new record. */
  readonly id: string
  readonly scope: Scope
  readonly fields: readonly Field[]
  readonly loaded: Answer<R> | undefined
  /** Values of a new record that are filled in. */
  readonly initial?: FormValues
}

export function useDraft<R extends Row>({ resource, id, scope, fields, loaded, initial = {} }: Start<R>): Draft<R> {
  const versionOf = (answer: Answer<R> | undefined): DraftVersion<R> => ({
    body: answer?.body,
    etag: answer?.etag,
    values: formValues(fields, answer?.body),
  })
  const [version, setVersion] = useState(() => versionOf(loaded))
  const [values, setValues] = useState<FormValues>(() => ({ ...version.values, ...initial }))
  const [conflict, setConflict] = useState<Conflict<R>>()
  const adopt: Draft<R>['adopt'] = (saved, sent) => {
    const next = versionOf(saved)
    setVersion(next)
    setValues(typed => (sent ? mergeEdits(fields, sent, typed, next.values).merged : next.values))
    return next
  }
  const resolve: Draft<R>['resolve'] = merged => {
    setConflict(undefined)
    if (!conflict || !merged) return
    setVersion(conflict.current)
    setValues(merged)
  }
  const send: Draft<R>['send'] = async (call, from) => {
    const { get } = resource.operations
    try {
      return await callApi<R>({ ...call, etag: from.etag })
    } catch (failure) {
      if (id === '' || !get || !isStatus(failure, 412)) throw failure
      const current = await callApi<R>({ path: recordPath(get, scope, id) })
      setConflict({ from, current: versionOf(current) })
      return undefined
    }
  }
  return {
    fields,
    version,
    values,
    conflict,
    setValues,
    adopt,
    resolve,
    send,
    isDirty: !isSame(values, version.values),
  }
}
