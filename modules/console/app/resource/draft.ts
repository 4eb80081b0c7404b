/** What is typed into the form of a record, and the version of the record that it started from. */
import { useState } from 'react'
import { type Answer, callApi } from '../data/api.ts'
import { type Field, type FormValues, formValues, isSame } from '../data/form-model.ts'
import { mergeEdits } from '../data/merge.ts'
import { isStatus } from '../data/problem.ts'
import { type Resource, type Row, recordPath, type Scope } from '../data/resources.ts'

export interface DraftVersion {
  readonly body: Row | undefined
  readonly etag: string | null | undefined
  readonly values: FormValues
}
export interface Conflict {
  /** The version that the rejected change started from. */
  readonly from: DraftVersion
  readonly current: DraftVersion
}
export interface Draft {
  readonly fields: readonly Field[]
  readonly version: DraftVersion
  readonly values: FormValues
  readonly isDirty: boolean
  readonly conflict: Conflict | undefined
  readonly setValues: (values: FormValues) => void
  /** Shows a saved or newer version. What was typed since `sent` stays; without it, everything is replaced. */
  readonly adopt: (saved: Answer<Row>, sent?: FormValues) => DraftVersion
  /** Closes the conflict. With merged values, the draft continues from the current version of the record. */
  readonly resolve: (merged?: FormValues) => void
  /** Sends a change of `from`. If the record has changed since (412), the conflict is set and the result is undefined. */
  readonly send: (call: Change, from: DraftVersion) => Promise<Answer<Row> | undefined>
}
interface Change {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}
interface Start {
  readonly resource: Resource
  /** Empty for a new record. */
  readonly id: string
  readonly scope: Scope
  readonly fields: readonly Field[]
  readonly loaded: Answer<Row> | undefined
  /** Values of a new record that are filled in. */
  readonly initial?: FormValues
}

export function useDraft({ resource, id, scope, fields, loaded, initial = {} }: Start): Draft {
  const versionOf = (answer: Answer<Row> | undefined): DraftVersion => ({
    body: answer?.body,
    etag: answer?.etag,
    values: formValues(fields, answer?.body),
  })
  const [version, setVersion] = useState(() => versionOf(loaded))
  const [values, setValues] = useState<FormValues>(() => ({ ...version.values, ...initial }))
  const [conflict, setConflict] = useState<Conflict>()
  const adopt: Draft['adopt'] = (saved, sent) => {
    const next = versionOf(saved)
    setVersion(next)
    setValues(typed => (sent ? mergeEdits(fields, sent, typed, next.values).merged : next.values))
    return next
  }
  const resolve: Draft['resolve'] = merged => {
    setConflict(undefined)
    if (!conflict || !merged) return
    setVersion(conflict.current)
    setValues(merged)
  }
  const send: Draft['send'] = async (call, from) => {
    const { get } = resource.operations
    try {
      return await callApi<Row>({ ...call, etag: from.etag })
    } catch (failure) {
      if (id === '' || !get || !isStatus(failure, 412)) throw failure
      const current = await callApi<Row>({ path: recordPath(get, scope, id) })
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
