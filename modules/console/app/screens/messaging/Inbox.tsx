/** Support conversations of the workspace: the list, and the selected one beside it. */

import { useEffect } from 'react'
import { EmptyState, Page, useNavigate, useReload, useSearch, useTopic } from '../../public.ts'
import { ConversationList } from './ConversationList.tsx'
import { useConversations } from './data.ts'
import { INBOX_TOPIC, isView, queryOf, type View } from './inbox.ts'
import { isTyping } from './keys.ts'
import { Thread } from './Thread.tsx'
import { useInboxTexts } from './texts.ts'
import './messaging.css'

/** All of it is in the URL. */
interface InboxSearch {
  readonly view?: string
  readonly q?: string
  readonly id?: string
}

export default function Inbox() {
  const c = useInboxTexts()
  const navigate = useNavigate()
  const reload = useReload()
  const search = useSearch()
  const view: View = isView(search.view) ? search.view : 'open'
  const { id, q = '' } = search
  const list = useConversations(queryOf(view, q))
  useTopic(INBOX_TOPIC, () => reload('/v1/messaging/inbox'))

  /** @param choose gets the search of the moment, which may be newer than that of this screen. */
  const change = (choose: (before: InboxSearch) => InboxSearch, replace = false) => {
    const search = (before: InboxSearch) =>
      Object.fromEntries(Object.entries(choose(before)).filter(([, value]) => value))
    return navigate({ to: '.', search, replace })
  }
  const show = (next: InboxSearch, replace = false) => change(before => ({ ...before, ...next }), replace)

  /** The conversation after (1) or before (-1) the selected one; the first one if none of the list is selected. */
  const neighbor = (step: number): string | undefined => {
    const index = list.rows.findIndex(row => row.id === id)
    return list.rows[index < 0 ? 0 : index + step]?.id
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      const next = event.key === 'j' ? neighbor(1) : event.key === 'k' ? neighbor(-1) : undefined
      if (next === undefined) return
      event.preventDefault()
      void show({ id: next }, true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  return (
    <Page title={c.title}>
      <div className="inbox panel" data-open={id !== undefined || undefined}>
        <ConversationList
          list={list}
          view={view}
          words={q}
          selected={id}
          onView={next => show({ view: next === 'open' ? '' : next, id: '' })}
          onWords={words => show({ q: words }, true)}
        />
        {id === undefined ? (
          <section className="inbox-none" aria-label={c.thread}>
            <EmptyState icon="messages-square" title={c.choose} text={c.chooseText} />
          </section>
        ) : (
          <Thread
            key={id}
            id={id}
            onBack={() => show({ id: '' })}
            // The person may have left the conversation meanwhile.
            onDone={() => change(before => (before.id === id ? { ...before, id: neighbor(1) ?? '' } : before), true)}
          />
        )}
      </div>
    </Page>
  )
}
