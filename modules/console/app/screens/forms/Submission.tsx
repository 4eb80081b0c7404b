/** One submission: its answers, whether it is spam, and a note. */

import { type FormEvent, useState } from 'react'
import {
  type Api,
  Button,
  callApi,
  crumbsOf,
  ErrorState,
  formatDate,
  Loading,
  Page,
  RecordCommands,
  type Resource,
  type ResourceScreenProps,
  recordUrl,
  Section,
  TextArea,
  useAction,
  useNavigate,
  useRecord,
  useRefresh,
  useResource,
  useSearch,
} from '../../public.ts'
import { answerIn, answersOf, reasonText, submissionPath } from './submissions.ts'
import { useFormTexts } from './texts.ts'
import './forms.css'

export default function SubmissionScreen({ resource, id }: ResourceScreenProps) {
  const search = useSearch()
  const forms = useResource('forms', 'forms')
  if (!forms) return null
  return <SubmissionView resource={resource} forms={forms} id={id} formId={search.with?.id ?? ''} />
}

interface Props {
  readonly resource: Resource
  readonly forms: Resource
  readonly id: string
  readonly formId: string
}

function SubmissionView({ resource, forms, id, formId }: Props) {
  const c = useFormTexts()
  const navigate = useNavigate()
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  const [note, setNote] = useState<string>()
  const scope = { id: formId }
  const form = useRecord(forms, formId, {})
  const { data, error, refetch } = useRecord(resource, id, scope)
  const failure = error ?? form.error
  if (failure && !data) return <ErrorState error={failure} onRetry={refetch} />
  if (!data || !form.data) return <Loading />
  const record = form.data.body as Api.Form
  const submission = data.body as Api.Submission
  const { update } = resource.operations
  const formUrl = recordUrl(forms, formId)
  const change = (body: object, message: string) =>
    run(async () => {
      await callApi({ method: 'PATCH', path: submissionPath(submission), body })
      setNote(undefined)
    }, message)
  const saveNote = (event: FormEvent) => {
    event.preventDefault()
    change({ note: note ?? '' }, c.noteSaved)
  }
  return (
    <Page
      title={formatDate(submission.createdAt)}
      crumbs={[...crumbsOf({ ...forms, within: null }), { title: record.name, href: formUrl }]}
      badge={submission.spam && <span className="badge danger">{c.spam}</span>}
      actions={
        <>
          <RecordCommands
            resource={resource}
            scope={scope}
            record={data.body}
            label={c.submission}
            onDeleted={() => navigate({ to: formUrl, search: { tab: 'submissions' } })}
          />
          {update && (
            <Button
              icon={submission.spam ? 'check' : 'shield-alert'}
              isDisabled={isBusy}
              onPress={() => change({ spam: !submission.spam }, submission.spam ? c.markedNotSpam : c.markedSpam)}
            >
              {submission.spam ? c.notSpam : c.markSpam}
            </Button>
          )}
        </>
      }
    >
      {submission.spamReason && <p className="notice warning">{reasonText(submission.spamReason, c)}</p>}
      <div className="columns">
        <Section title={c.answers}>
          <dl className="answers">
            {answersOf(record).map(column => (
              <div key={column.path.join('.')}>
                <dt>{column.title}</dt>
                <dd>{answerIn(submission.data, column, c) || <span className="muted">–</span>}</dd>
              </div>
            ))}
          </dl>
        </Section>
        <Section title={c.details}>
          <dl className="answers">
            <div>
              <dt>{c.submittedBy}</dt>
              <dd>{submission.createdBy ?? c.visitor}</dd>
            </div>
            <div>
              <dt>{c.version}</dt>
              <dd>{submission.formVersion}</dd>
            </div>
            {Object.entries(submission.meta).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{String(value)}</dd>
              </div>
            ))}
          </dl>
          {update ? (
            <form className="form note-form" onSubmit={saveNote}>
              <TextArea
                label={c.note}
                hint={c.noteHint}
                rows={4}
                maxLength={5000}
                value={note ?? submission.note ?? ''}
                onChange={setNote}
              />
              <div className="form-actions">
                <Button type="submit" isDisabled={isBusy || (note ?? '') === (submission.note ?? '')}>
                  {c.saveNote}
                </Button>
              </div>
            </form>
          ) : (
            submission.note && <p className="prose">{submission.note}</p>
          )}
        </Section>
      </div>
    </Page>
  )
}
