/** The form of a new or an existing record. Keeps what was typed after every error. */
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { ErrorState, Loading } from '../components/EmptyState.tsx'
import { Form } from '../components/Form.tsx'
import { Page } from '../components/Page.tsx'
import { useKeys } from '../components/save-shortcut.ts'
import { UnsavedChanges } from '../components/UnsavedChanges.tsx'
import { useAction } from '../data/action.ts'
import type { Answer } from '../data/api.ts'
import { valuesOfScope } from '../data/collection-form.ts'
import { useDocument } from '../data/document.ts'
import { type Field, type FormValues, formBody } from '../data/form-model.ts'
import { fillPath } from '../data/paths.ts'
import { fieldErrors } from '../data/problem.ts'
import { createdText, createTitle, headingOf, isReadOnly, keyOf, type Row, recordPath } from '../data/resources.ts'
import { toast } from '../data/toasts.ts'
import { useTexts } from '../locales/index.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { type DraftVersion, useDraft } from './draft.ts'
import {
  crumbsOf,
  fieldsOf,
  type GenericProps,
  invalidTexts,
  recordUrl,
  resourcePath,
  searchOf,
  useRecord,
  useRefresh,
} from './generic.ts'
import { ReadOnlyNotice } from './ReadOnlyNotice.tsx'

const ConflictLinks = lazy(() => import('./ConflictLinks.tsx'))

export function EditScreen(props: GenericProps) {
  const { resource, id, search } = props
  const { data: document } = useDocument()
  const { data: loaded, error, refetch } = useRecord(resource, id, search.with ?? {})
  // The form keeps the version it started with; later versions are merged when it is saved.
  const [started, setStarted] = useState<Answer<Row>>()
  if (!started && loaded) setStarted(loaded)
  const isNew = id === ''
  if (error && !started) return <ErrorState error={error} onRetry={refetch} />
  if (!document || (!isNew && !started)) return <Loading />
  if (started && isReadOnly(resource, started.body))
    return (
      <Page title={headingOf(resource, started.body)} crumbs={crumbsOf(resource)}>
        <ReadOnlyNotice resource={resource} row={started.body} />
      </Page>
    )
  const operation = isNew ? resource.operations.create : resource.operations.update
  const fields = fieldsOf(resource, operation?.id, document, resource.fields)
  return <Editor {...props} fields={fields} started={started} />
}

interface EditorProps extends GenericProps {
  readonly fields: readonly Field[]
  readonly started: Answer<Row> | undefined
}

function Editor({ resource, id, search, fields, started }: EditorProps) {
  const t = useTexts()
  const keys = useKeys()
  const navigate = useNavigate()
  const refresh = useRefresh(resource)
  const scope = search.with ?? {}
  const isNew = id === ''
  const draft = useDraft({
    resource,
    id,
    scope,
    fields,
    loaded: started,
    initial: isNew ? valuesOfScope(fields, scope) : {},
  })
  const [failure, setFailure] = useState<unknown>()
  const [refused, setRefused] = useState<Row>({})
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map())
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const name = started ? headingOf(resource, started.body) : resource.singular

  function save(typed: FormValues, from: DraftVersion) {
    const { create, update, get } = resource.operations
    const { body, invalid: wrong } = formBody(fields, typed, isNew ? undefined : from.values)
    setInvalid(invalidTexts(wrong, t))
    setFailure(undefined)
    const operation = isNew ? create : update
    if (wrong.length > 0 || !operation) return
    const path = isNew ? fillPath(operation.path, scope) : recordPath(operation, scope, id)
    setRefused({ ...from.body, ...(body as Row) })
    run(async () => {
      const saved = await draft.send({ method: operation.method, path, body }, from)
      if (!saved) return
      const key = isNew ? keyOf(resource, saved.body) : id
      const hasRecord = key !== '' && get !== undefined
      const to = hasRecord ? recordUrl(resource, key) : resourcePath(resource)
      const link = isNew && hasRecord ? { title: t('show'), onPress: () => void navigate({ to }) } : undefined
      toast(isNew ? createdText(resource, t) : t('saved'), 'success', link)
      await refresh()
      await navigate({ to, search: searchOf(scope), ignoreBlocker: true })
    })
  }
  const errors = new Map([...fieldErrors(failure), ...invalid])
  const leave = () =>
    navigate({ to: isNew ? resourcePath(resource) : recordUrl(resource, id), search: searchOf(scope) })
  return (
    <Page
      title={isNew ? createTitle(resource, t) : t('editTitle', { name })}
      crumbs={[...crumbsOf(resource), ...(isNew ? [] : [{ title: name, href: recordUrl(resource, id) }])]}
    >
      <Form
        fields={fields}
        values={draft.values}
        errors={errors}
        isChange={!isNew}
        more={isNew ? resource.more : []}
        startsFocused={isNew}
        hasShortcut
        failure={failure}
        afterFailure={
          <Suspense>
            <ConflictLinks resource={resource} failure={failure} row={refused} />
          </Suspense>
        }
        onChange={draft.setValues}
        onSubmit={() => save(draft.values, draft.version)}
      >
        <Button kind="primary" type="submit" shortcut={keys('S')} isDisabled={isBusy}>
          {isNew ? createTitle(resource, t, 'createSubmit') : t('save')}
        </Button>
        <Button onPress={leave}>{t('cancel')}</Button>
      </Form>
      <ConflictDialog draft={draft} onSave={save} />
      <UnsavedChanges isDirty={draft.isDirty} />
    </Page>
  )
}
