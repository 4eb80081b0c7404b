/** Writes a page: text with preview, settings, versions. Also the form of a new page and of a new translation. */
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { ErrorState, Loading } from '../../components/EmptyState.tsx'
import { Page } from '../../components/Page.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { toast } from '../../components/Toast.tsx'
import { type Answer, callApi } from '../../data/api.ts'
import { useDocument } from '../../data/document.ts'
import { type Field, type FormValues, formBody, formFields, formValues, isSame } from '../../data/form-model.ts'
import { fieldErrors, isStatus } from '../../data/problem.ts'
import { nounOf, type Resource, type Row, recordPath } from '../../data/resources.ts'
import { useTexts } from '../../locales/index.ts'
import { ConflictDialog } from '../../resource/ConflictDialog.tsx'
import { crumbsOf, recordUrl, resourcePath, useRecord, useRefresh } from '../../resource/generic.ts'
import { RecordScreen } from '../../resource/RecordScreen.tsx'
import type { RecordSearch } from '../../router.tsx'
import type { ScreenProps } from '../registry.ts'
import { PageActions } from './PageActions.tsx'
import { PageStatus } from './PageList.tsx'
import { PageSettings } from './PageSettings.tsx'
import { type PageRow, slugOf } from './pages.ts'
import { useContentTexts } from './texts.ts'
import { Versions } from './Versions.tsx'
import { Writing } from './Writing.tsx'
import './content.css'

const FIELDS = ['title', 'slug', 'path', 'locale', 'body', 'template', 'seo']

export default function PageEditor({ resource, params }: ScreenProps) {
  const search = useSearch({ strict: false }) as RecordSearch
  if (!resource) return null
  const id = params.id ?? ''
  if (id !== '' && !resource.operations.update) return <RecordScreen resource={resource} id={id} search={search} />
  return <Loader key={id} resource={resource} id={id} initial={search.with ?? {}} />
}

interface LoaderProps {
  readonly resource: Resource
  readonly id: string
  /** Values of a new page: slug and locale of a translation. */
  readonly initial: Readonly<Record<string, string>>
}

function Loader({ resource, id, initial }: LoaderProps) {
  const { data: document } = useDocument()
  const { data: loaded, error, refetch } = useRecord(resource, id, {})
  const isNew = id === ''
  if (error && !loaded) return <ErrorState error={error} onRetry={refetch} />
  if (!document || (!isNew && !loaded)) return <Loading />
  const operation = isNew ? resource.operations.create : resource.operations.update
  const schema = operation && document.body(operation.id)
  const fields = schema ? formFields(schema, document.schemas, FIELDS) : []
  return <Editor resource={resource} id={id} initial={initial} fields={fields} loaded={loaded} />
}

interface EditorProps extends LoaderProps {
  readonly fields: readonly Field[]
  readonly loaded: Answer<Row> | undefined
}
interface Conflict {
  readonly before: FormValues
  readonly current: Answer<Row>
}

function Editor({ resource, id, initial, fields, loaded }: EditorProps) {
  const t = useTexts()
  const c = useContentTexts()
  const navigate = useNavigate()
  const refresh = useRefresh(resource)
  const isNew = id === ''
  const [base, setBase] = useState(loaded)
  const [before, setBefore] = useState(() => formValues(fields, loaded?.body))
  const [values, setValues] = useState<FormValues>(() => ({ ...before, ...(isNew && initial) }))
  const [tab, setTab] = useState('write')
  const [failure, setFailure] = useState<unknown>()
  const [conflict, setConflict] = useState<Conflict>()
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const isDirty = !isDone && !isSame(values, before)
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true })
  const page = base?.body as PageRow | undefined

  function adopt(saved: Answer<Row>) {
    const next = formValues(fields, saved.body)
    setBase(saved)
    setBefore(next)
    setValues(next)
    setConflict(undefined)
    setFailure(undefined)
  }
  // A newer version is shown unless something was typed; otherwise it is merged when the page is saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each loaded version
  useEffect(() => {
    if (loaded && !isDirty && loaded.etag !== base?.etag) adopt(loaded)
  }, [loaded])

  /** Runs a change with the ETag of the page; undefined if it failed. */
  async function change(call: { method: string; path: string; body?: unknown }, from: FormValues, etag = base?.etag) {
    setBusy(true)
    setFailure(undefined)
    try {
      return await callApi<Row>({ ...call, etag })
    } catch (error) {
      const { get } = resource.operations
      if (isStatus(error, 412) && get)
        setConflict({ before: from, current: await callApi<Row>({ path: recordPath(get, {}, id) }) })
      else setFailure(error)
      return undefined
    } finally {
      setBusy(false)
    }
  }

  async function save(typed = values, from = before, etag = base?.etag): Promise<Answer<Row> | undefined> {
    const { create, update } = resource.operations
    const operation = isNew ? create : update
    if (!operation) return undefined
    const complete = isNew && typed.slug === '' ? { ...typed, slug: slugOf(String(typed.title)) } : typed
    const { body } = formBody(fields, complete, isNew ? undefined : from)
    const path = isNew ? operation.path : recordPath(operation, {}, id)
    const saved = await change({ method: operation.method, path, body }, from, etag)
    if (!saved) return undefined
    toast(c.draftSaved)
    if (isNew) {
      setDone(true)
      await refresh()
      // The blocker must see that the form is done.
      setTimeout(() => navigate({ to: recordUrl(resource, String(saved.body.id)), replace: true }))
    } else {
      adopt(saved)
      refresh()
    }
    return saved
  }

  async function publish(publishAt?: string) {
    const action = resource.actions.find(({ id: operation }) => operation === 'publishPage')
    const current = isDirty ? await save() : base
    if (!action || !current) return
    const published = await change(
      { method: action.method, path: recordPath(action, {}, id), body: publishAt ? { publishAt } : {} },
      formValues(fields, current.body),
      current.etag,
    )
    if (!published) return
    adopt(published)
    toast(publishAt ? c.pageScheduled : c.pagePublished)
    refresh()
  }

  const errors = fieldErrors(failure)
  const title = String(values.title) || (isNew ? t('createTitle', { name: nounOf(resource) }) : (page?.title ?? ''))
  const isReadOnly = failure !== undefined && isStatus(failure, 409) && page?.managedBy === 'recipe'
  const edit = { fields, values, errors, onChange: setValues }
  return (
    <Page
      title={title}
      crumbs={crumbsOf(resource)}
      badge={page && <PageStatus page={page} />}
      actions={
        <PageActions
          resource={resource}
          page={page}
          isDirty={isDirty}
          isBusy={isBusy}
          onSave={() => save()}
          onPublish={publish}
          onDeleted={() => {
            setDone(true)
            setTimeout(() => navigate({ to: resourcePath(resource) }))
          }}
        />
      }
    >
      {failure !== undefined && (
        <div className="notice danger editor-notice" role="alert">
          {isReadOnly ? c.fromRecipe : failure instanceof Error ? failure.message : String(failure)}
          {[...errors].map(([pointer, text]) => (
            <p key={pointer}>
              <code>{pointer.slice(1)}</code> {text}
            </p>
          ))}
        </div>
      )}
      <Tabs
        label={title}
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'write', title: c.write, render: () => <Writing {...edit} resource={resource} page={page} /> },
          { id: 'settings', title: c.settings, render: () => <PageSettings {...edit} /> },
          ...(page
            ? [
                {
                  id: 'versions',
                  title: c.versions,
                  render: () => (
                    <Versions
                      page={page}
                      text={String(values.body)}
                      etag={base?.etag}
                      onRestored={saved => {
                        adopt(saved)
                        refresh()
                        setTab('write')
                      }}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
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
