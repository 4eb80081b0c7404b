/** The log of the last hour with a live tail. */

import { useState } from 'react'
import {
  type Api,
  areaCrumbs,
  Badge,
  Button,
  CodeBlock,
  EmptyState,
  Facts,
  FilterSelect,
  factsOf,
  fill,
  formatDate,
  formatNumber,
  ListContent,
  languageStore,
  Page,
  ScreenLink,
  TypedInput,
  useAction,
  useFilterChange,
  useResources,
  useScreenTexts,
  useSearch,
  useTexts,
} from '../../public.ts'
import './logs.css'
import { useLogTail } from './log-tail.ts'
import { texts } from './texts.ts'

const EVENTS_PATH: string = '/platform/events'
const LEVELS = ['debug', 'info', 'warn', 'error'] as const
/** Words whose badges have the color of the level. */
const TONES = { trace: 'debug', debug: 'debug', info: 'info', warn: 'warning', error: 'error', fatal: 'error' } as const
/** Events of a request are older than its line in the log. */
const MAX_REQUEST_MS = 600_000

export default function Logs() {
  const t = useTexts()
  const c = useScreenTexts(texts)
  const show = useFilterChange()
  const { q = '', filters = {} } = useSearch()
  const { level = '', request = '' } = filters
  const [isLive, setLive] = useState(true)
  const tail = useLogTail({ q, 'filter[level]': level as Api.LogLine['level'], 'filter[requestId]': request }, isLive)
  const { isBusy, run } = useAction()
  const isNarrowed = q !== '' || level !== '' || request !== ''
  return (
    <Page
      title={c.logs}
      crumbs={areaCrumbs('platform')}
      badge={<Badge text={isLive ? 'live' : 'paused'} label={isLive ? c.live : c.paused} />}
      actions={
        <Button icon={isLive ? 'pause' : 'play'} onPress={() => setLive(!isLive)}>
          {isLive ? c.pause : c.resume}
        </Button>
      }
    >
      <Processes processes={[...tail.processes.values()]} />
      <search className="toolbar">
        <TypedInput label={c.searchLog} maxLength={200} value={q} onChange={text => show({ q: text })} />
        <TypedInput label={c.requestId} maxLength={128} value={request} onChange={id => show({ request: id })} />
        <FilterSelect
          label={c.lowestLevel}
          value={level}
          options={LEVELS.map(each => [each, each])}
          onChange={chosen => show({ level: chosen })}
        />
        {isNarrowed && (
          <Button kind="quiet" onPress={() => show({ q: '', level: '', request: '' })}>
            {t('clearFilters')}
          </Button>
        )}
      </search>
      <ListContent
        list={{ ...tail, isPending: tail.isPending && tail.lines.length === 0 }}
        isEmpty={tail.lines.length === 0}
        empty={
          <EmptyState
            icon="scroll-text"
            title={isNarrowed ? t('emptyFiltered') : c.noLines}
            text={isNarrowed ? t('emptyFilteredText') : c.noLinesText}
          />
        }
      >
        <ol className="log panel" aria-label={c.logs}>
          {tail.lines.map(line => (
            <Line key={line.id} line={line} isRequestKnown={request !== ''} onRequest={id => show({ request: id })} />
          ))}
        </ol>
        {tail.hasMore && (
          <p className="more">
            <Button isDisabled={isBusy} onPress={() => run(tail.loadOlder)}>
              {c.olderLines}
            </Button>
          </p>
        )}
      </ListContent>
    </Page>
  )
}

function Processes({ processes }: { readonly processes: readonly Api.LogProcess[] }) {
  const c = useScreenTexts(texts)
  if (processes.length === 0) return null
  const names = processes.map(({ id, role, startedAt }) => fill(c.process, { id, role, since: formatDate(startedAt) }))
  return (
    <p className="lead">
      {c.linesOf} {names.join('; ')}. {c.otherProcesses}
    </p>
  )
}

interface LineProps {
  readonly line: Api.LogLine
  readonly isRequestKnown: boolean
  readonly onRequest: (id: string) => void
}

function Line({ line, isRequestKnown, onRequest }: LineProps) {
  const [isOpen, setOpen] = useState(false)
  const { at, level } = line
  return (
    <li>
      <details className="log-line" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <time dateTime={at}>{timeOf(at)}</time>
          <Badge text={TONES[level]} label={level} />
          <span className="log-message">{messageOf(line)}</span>
        </summary>
        {isOpen && <LineDetails line={line} isRequestKnown={isRequestKnown} onRequest={onRequest} />}
      </details>
    </li>
  )
}

function LineDetails({ line: { at, requestId, fields }, isRequestKnown, onRequest }: LineProps) {
  const c = useScreenTexts(texts)
  const { data: resources = [] } = useResources()
  const { err, ...others } = fields
  const { stack, ...error } = (typeof err === 'object' ? err : { message: err }) as Record<string, unknown>
  const since = new Date(Date.parse(at) - MAX_REQUEST_MS).toISOString()
  const hasEvents = resources.some(({ id }) => id === 'platform.events')
  return (
    <div className="log-details">
      {requestId !== null && (
        <p className="row">
          <span>
            {c.requestId} <code>{requestId}</code>
          </span>
          {!isRequestKnown && (
            <Button kind="quiet" icon="list-filter" onPress={() => onRequest(requestId)}>
              {c.linesOfRequest}
            </Button>
          )}
          {hasEvents && (
            <ScreenLink
              className="button quiet"
              to={EVENTS_PATH}
              search={{ filters: { 'filter[correlationId]': requestId }, with: { 'filter[since]': since } }}
            >
              {c.eventsOfRequest}
            </ScreenLink>
          )}
        </p>
      )}
      <Facts facts={[[c.occurred, 'occurredAt', at], ...factsOf(others)]} isFull />
      {err !== undefined && <Facts facts={factsOf(error)} label={c.error} isFull />}
      {typeof stack === 'string' && <CodeBlock text={stack} />}
    </div>
  )
}

/** Requests are logged as fields. */
function messageOf({ message, fields: { method, path, status, ms } }: Api.LogLine): string {
  return message === 'request' ? `${method} ${path} ${status} · ${formatNumber(Number(ms))} ms` : message
}

const timeOf = (at: string): string =>
  new Intl.DateTimeFormat(languageStore.get(), { timeStyle: 'medium' }).format(new Date(at))
