import { type Api, EmptyState, ListContent, LoadMore, NoMatches, ScreenLink, TypedInput } from '../../public.ts'
import type { useConversations } from './data.ts'
import { initialsOf, nameOf, VIEWS, type View } from './inbox.ts'
import { formatActivity, type InboxTexts, useInboxTexts } from './texts.ts'

interface Props {
  readonly list: ReturnType<typeof useConversations>
  readonly view: View
  readonly words: string
  readonly selected: string | undefined
  readonly onView: (view: View) => void
  readonly onWords: (words: string) => void
}

export function ConversationList({ list, view, words, selected, onView, onWords }: Props) {
  const c = useInboxTexts()
  const { rows } = list
  const [title, text] = emptyTexts(view, c)
  return (
    <section className="inbox-list" aria-label={c.conversations}>
      <fieldset className="inbox-views">
        <legend className="visually-hidden">{c.views}</legend>
        {VIEWS.map(each => (
          <button key={each} type="button" aria-pressed={each === view} onClick={() => onView(each)}>
            {c[each]}
          </button>
        ))}
      </fieldset>
      <search>
        <TypedInput label={c.search} value={words} maxLength={100} onChange={onWords} />
      </search>
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          words === '' ? (
            <EmptyState icon="inbox" title={title} text={text} />
          ) : (
            <NoMatches onClear={() => onWords('')} />
          )
        }
      >
        <ul>
          {rows.map(row => (
            <Row key={row.id} row={row} isSelected={row.id === selected} />
          ))}
        </ul>
        <LoadMore list={list} />
      </ListContent>
    </section>
  )
}

function Row({ row, isSelected }: { readonly row: Api.InboxConversation; readonly isSelected: boolean }) {
  const c = useInboxTexts()
  const requester = nameOf(row.requester) ?? c.formerMember
  const assignee = row.assignee && (nameOf(row.assignee) ?? c.formerMember)
  return (
    <li>
      <ScreenLink
        className="plain"
        to="."
        search={(before: object) => ({ ...before, id: row.id })}
        aria-current={isSelected || undefined}
        data-waiting={row.waiting || undefined}
      >
        <span className="inbox-row-head">
          <strong>{requester}</strong>
          {row.waiting && <span className="inbox-dot" role="img" aria-label={c.waiting} title={c.waiting} />}
          <time dateTime={row.lastActivityAt}>{formatActivity(row.lastActivityAt)}</time>
        </span>
        {row.workspace && <span className="inbox-row-workspace muted">{row.workspace.name}</span>}
        <span className="inbox-row-subject">{row.subject ?? c.noSubject}</span>
        <span className="inbox-row-text">
          <span>{row.lastMessage?.text ?? (row.lastMessage ? c.deleted : '')}</span>
          {assignee !== null && (
            <span className="avatar small" role="img" aria-label={`${c.assignee}: ${assignee}`} title={assignee}>
              {initialsOf(assignee)}
            </span>
          )}
        </span>
      </ScreenLink>
    </li>
  )
}

function emptyTexts(view: View, c: InboxTexts): readonly [title: string, text: string] {
  if (view === 'mine') return [c.noneMine, c.noneMineText]
  if (view === 'unassigned') return [c.noneUnassigned, c.noneUnassignedText]
  if (view === 'snoozed') return [c.noneSnoozed, c.noneSnoozedText]
  if (view === 'resolved') return [c.noneResolved, c.noneResolvedText]
  return [c.none, c.noneText]
}
