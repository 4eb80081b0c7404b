/** The form of a new or an existing record. Keeps what was typed after every error. */
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/Dialog.tsx'
import { ErrorState, Loading } from '../components/EmptyState.tsx'
import { Form } from '../components/Form.tsx'
import { Page } from '../components/Page.tsx'
import { toast } from '../components/Toast.tsx'
import { type Answer, callApi, fillPath } from '../data/api.ts'
import { useDocument } from '../data/document.ts'
import { type Field, type FormValues, formBody, formFields, formValues, isSame } from '../data/form-model.ts'
import { fieldErrors, isStatus } from '../data/problem.ts'
import { keyOf, labelOf, nounOf, type Row, recordPath } from '../data/resources.ts'
import { useTexts } from '../locales/index.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { crumbsOf, type GenericProps, recordUrl, resourcePath, searchOf, useRecord, useRefresh } from './generic.ts'

export function EditScreen(props: GenericProps) {
  const { resource, id, search } = props
  const { data: document } = useDocument()
  const { data: loaded, error, refetch } = useRecord(resource, id, search.with ?? {})
  // The form keeps the version it started with; later versions are merged when it is saved.
  const [started, setStarted] = useState<Answer<Row>>()
  useEffect(() => setStarted(before => before ?? loaded), [loaded])
  const isNew = id === ''
  if (error && !started) return <ErrorState error={error} onRetry={refetch} />
  if (!document || (!isNew && !started)) return <Loading />
  const operation = isNew ? resource.operations.create : resource.operations.update
  const schema = operation && document.body(operation.id)
  const fields = schema ? formFields(schema, document.schemas, resource.fields) : []
  return <Editor {...props} fields={fields} started={started} />
}

interface EditorProps extends GenericProps {
  readonly fields: readonly Field[]
  readonly started: Answer<Row> | undefined
}
interface Conflict {
  readonly before: FormValues
  readonly current: Answer<Row>
}

function Editor({ resource, id, search, fields, started }: EditorProps) {
  const t = useTexts()
  const navigate = useNavigate()
  const refresh = useRefresh(resource)
  const scope = search.with ?? {}
  const isNew = id === ''
  const [base, setBase] = useState(started)
  const [before, setBefore] = useState(() => formValues(fields, started?.body))
  const [values, setValues] = useState(before)
  const [failure, setFailure] = useState<unknown>()
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map())
  const [conflict, setConflict] = useState<Conflict>()
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const isDirty = !isDone && !isSame(values, before)
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true })
  const name = started ? labelOf(resource, started.body) : resource.singular

  async function save(typed: FormValues, from: FormValues, etag: string | null | undefined) {
    const { create, update, get } = resource.operations
    const { body, invalid: wrong } = formBody(fields, typed, isNew ? undefined : from)
    const texts = { number: t('invalidNumber'), json: t('invalidJson'), date: t('invalidDate') }
    setInvalid(new Map(wrong.map(({ pointer, reason }) => [pointer, texts[reason]])))
    setFailure(undefined)
    if (wrong.length > 0) return
    setBusy(true)
    try {
      const operation = isNew ? create : update
      if (!operation) return
      const path = isNew ? fillPath(operation.path, scope) : recordPath(operation, scope, id)
      const saved = await callApi<Row>({ method: operation.method, path, body, etag })
      setConflict(undefined)
      setDone(true)
      toast(isNew ? t('created', { name: resource.singular }) : t('saved'))
      await refresh()
      const key = isNew ? keyOf(resource, saved.body) : id
      const to = key !== '' && get ? recordUrl(resource, key) : resourcePath(resource)
      // The blocker must see that the form is done.
      setTimeout(() => navigate({ to, search: searchOf(scope) as never }))
    } catch (error) {
      if (isStatus(error, 412) && get && !isNew)
        setConflict({ before: from, current: await callApi<Row>({ path: recordPath(get, scope, id) }) })
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const errors = new Map([...fieldErrors(failure), ...invalid])
  const leave = () =>
    navigate({ to: isNew ? resourcePath(resource) : recordUrl(resource, id), search: searchOf(scope) as never })
  return (
    <Page
      title={t(isNew ? 'createTitle' : 'editTitle', { name: isNew ? nounOf(resource) : name })}
      crumbs={[...crumbsOf(resource), ...(isNew ? [] : [{ title: name, href: recordUrl(resource, id) }])]}
    >
      <Form
        fields={fields}
        values={values}
        errors={errors}
        message={failure instanceof Error ? failure.message : undefined}
        onChange={setValues}
        onSubmit={() => save(values, before, base?.etag)}
      >
        <Button kind="primary" type="submit" isDisabled={isBusy}>
          {isNew ? t('createSubmit', { name: nounOf(resource) }) : t('save')}
        </Button>
        <Button onPress={leave}>{t('cancel')}</Button>
      </Form>
      {conflict && (
        <ConflictDialog
          fields={fields}
          before={conflict.before}
          mine={values}
          theirs={formValues(fields, conflict.current.body)}
          onClose={() => setConflict(undefined)}
          onMerge={merged => {
            const theirs = formValues(fields, conflict.current.body)
            setBase(conflict.current)
            setBefore(theirs)
            setValues(merged)
            save(merged, theirs, conflict.current.etag)
          }}
        />
      )}
      <ConfirmDialog
        title={t('unsaved')}
        text={t('unsavedText')}
        confirm={t('leave')}
        danger
        isOpen={blocker.status === 'blocked'}
        onConfirm={() => blocker.proceed?.()}
        onClose={() => blocker.reset?.()}
      />
    </Page>
  )
}
