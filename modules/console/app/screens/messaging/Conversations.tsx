/** The conversations of the person: who takes part, the last message, and what is unread. */
import { Fragment } from 'react'
import {
  type Api,
  areaCrumbs,
  createTitle,
  EmptyState,
  FilterSelect,
  fill,
  formatNumber,
  ListContent,
  LoadMore,
  NoMatches,
  newUrl,
  Page,
  RecordName,
  type Resource,
  type ResourceScreenProps,
  recordUrl,
  ScreenLink,
  StateBadge,
  Time,
  useFilterChange,
  useMe,
  useRows,
  useSearch,
  useTexts,
  wordOf,
} from '../../public.ts'
import { useInboxTexts } from './texts.ts'
import './messaging.css'

const STATUSES = ['open', 'snoozed', 'resolved'] as const
const STATUS_FILTER = 'filter[status]'
const NO_SCOPE = {}
/** Participants whom a row names. */
const MAX_NAMES = 3
const PERSON = /^usr_/

export default function Conversations({ resource }: ResourceScreenProps) {
  const t = useTexts()
  const c = useInboxTexts()
  const search = useSearch()
  const filter = useFilterChange()
  const list = useRows<'/v1/messaging/conversations'>(resource, search, NO_SCOPE, true)
  const { rows } = list
  const status = search.filters?.[STATUS_FILTER] ?? ''
  const create = resource.operations.create && (
    <ScreenLink className="button primary" to={newUrl(resource)}>
      {createTitle(resource, t)}
    </ScreenLink>
  )
  return (
    <Page title={resource.title} crumbs={areaCrumbs(resource.module)} actions={create}>
      <div className="toolbar">
        <FilterSelect
          label={c.status}
          value={status}
          all={c.anyStatus}
          options={STATUSES.map(each => [each, wordOf(each, resource.states.status)])}
          onChange={next => filter({ [STATUS_FILTER]: next })}
        />
      </div>
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          status === '' ? (
            <EmptyState icon="messages-square" title={c.noConversations} text={c.noConversationsText}>
              {create}
            </EmptyState>
          ) : (
            <NoMatches onClear={() => filter({ [STATUS_FILTER]: '' })} />
          )
        }
      >
        <ul className="conversation-list panel" aria-label={c.conversations}>
          {rows.map(row => (
            <Row key={row.id} resource={resource} row={row} />
          ))}
        </ul>
        <LoadMore list={list} />
      </ListContent>
    </Page>
  )
}

interface RowProps {
  readonly resource: Resource
  readonly row: Api.ListedConversation
}

function Row({ resource, row }: RowProps) {
  const c = useInboxTexts()
  const { data: me } = useMe()
  const { id, kind, subject, status, unread, participantIds, lastMessage, lastActivityAt, createdBy } = row
  const isOther = (each: string) => PERSON.test(each) && each !== me?.user.id
  const others = participantIds.filter(each => each !== me?.user.id)
  // Who left the workspace takes part in nothing any more.
  const left = [lastMessage?.senderId ?? '', createdBy].filter(isOther).slice(0, 1)
  const named = others.length === 0 ? left : others
  const people = named.length > 0 && <People ids={named} />
  const plain = kind === 'support' ? c.noSubject : people || c.notes
  return (
    <li>
      <ScreenLink className="plain" to={recordUrl(resource, id)} data-unread={unread > 0 || undefined}>
        <span className="inbox-row-head">
          <strong>{subject ?? plain}</strong>
          {kind === 'support' && <span className="badge neutral">{c.support}</span>}
          {status !== 'open' && <StateBadge states={resource.states.status} value={status} />}
          <Time value={lastActivityAt} />
        </span>
        {subject !== null && people && <span className="conversation-people muted">{people}</span>}
        <span className="inbox-row-text">
          <span>{lastMessage ? <LastMessage message={lastMessage} own={me?.user.id} /> : c.noMessages}</span>
          {unread > 0 && <span className="badge success">{fill(c.unread, { count: formatNumber(unread) })}</span>}
        </span>
      </ScreenLink>
    </li>
  )
}

interface LastMessageProps {
  readonly message: Api.InboxMessageExcerpt
  readonly own: string | undefined
}

/** What the product itself writes has no sender. */
function LastMessage({ message: { senderId, text }, own }: LastMessageProps) {
  const c = useInboxTexts()
  return (
    <>
      {senderId === own ? `${c.you}: ` : PERSON.test(senderId) && <Sender id={senderId} />}
      {text === null ? c.deleted : text === '' ? c.attachment : text}
    </>
  )
}

const Sender = ({ id }: { readonly id: string }) => (
  <>
    <Name id={id} />
    {': '}
  </>
)

function People({ ids }: { readonly ids: readonly string[] }) {
  const shown = ids.slice(0, MAX_NAMES)
  return (
    <>
      {shown.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Name id={id} />
        </Fragment>
      ))}
      {ids.length > shown.length && ` +${formatNumber(ids.length - shown.length)}`}
    </>
  )
}

function Name({ id }: { readonly id: string }) {
  const { somebody } = useInboxTexts()
  return <RecordName id={id} as="name" unnamed={somebody} />
}
