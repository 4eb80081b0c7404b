/** The answer to a conversation, with saved replies from a menu or a `/shortcut`. */

import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Api, api, Button, MAX_PAGE, Menu, useAction, useGet, useKeys, useReload } from '../../public.ts'
import { fillReply, findReplies, insertReply, nameOf, shortcutAt } from './inbox.ts'
import { isTyping } from './keys.ts'
import { useInboxTexts } from './texts.ts'

interface Props {
  readonly conversation: Api.InboxConversationDetails
  readonly me: Api.Me | undefined
  /** Called after the answer was sent and the conversation resolved. */
  readonly onResolved: () => void
}
const MAX_LENGTH = 10_000
/** Unsent answers by conversation, kept while the person looks at another one. */
const drafts = new Map<string, string>()

export function Composer({ conversation, me, onResolved }: Props) {
  const c = useInboxTexts()
  const keys = useKeys()
  const listId = useId()
  const reload = useReload()
  const { id, requester } = conversation
  const path = { id }
  const field = useRef<HTMLTextAreaElement>(null)
  const messageId = useRef(crypto.randomUUID())
  const [text, setText] = useState(drafts.get(id) ?? '')
  const [cursor, setCursor] = useState(0)
  const [active, setActive] = useState(0)
  const [isDismissed, setDismissed] = useState(false)
  const { isBusy, run } = useAction({ onDone: () => reload('/v1/messaging/inbox') })
  const replies = useGet('/v1/messaging/saved-replies', { query: { limit: MAX_PAGE } }).data?.data ?? []
  const words = shortcutAt(text, cursor)
  const found = words === null || isDismissed ? [] : findReplies(replies, words)
  const selected = found[Math.min(active, found.length - 1)]

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'r' || isTyping(event)) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  function change(next: string, at: number): void {
    setText(next)
    setCursor(at)
    setActive(0)
    setDismissed(false)
    if (next === '') drafts.delete(id)
    else drafts.set(id, next)
  }
  function insert(reply: Api.SavedReply): void {
    const agent = me?.user.name ?? me?.user.email ?? ''
    const filled = fillReply(reply.body, { name: nameOf(requester) ?? '', agent })
    const next = insertReply(text, field.current?.selectionStart ?? text.length, filled)
    change(next.text, next.cursor)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(next.cursor, next.cursor)
    })
  }
  async function send(resolves: boolean): Promise<void> {
    if (text.trim() === '' || isBusy) return
    const body = { body: text, clientMessageId: messageId.current }
    const sent = await run(
      async () => {
        await api.post('/v1/messaging/inbox/{id}/messages', { path, body })
        if (resolves) await api.patch('/v1/messaging/inbox/{id}', { path, body: { status: 'resolved' } })
        return true
      },
      resolves ? c.resolvedDone : undefined,
    )
    if (!sent) return
    messageId.current = crypto.randomUUID()
    // What was typed meanwhile stays.
    if ((field.current?.value ?? '') === text) change('', 0)
    if (resolves) onResolved()
    else field.current?.focus()
  }
  function onKeyDown(event: ReactKeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send(false)
      return
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!selected) return
    if (event.key === 'Escape') setDismissed(true)
    else if (event.key === 'Enter' || event.key === 'Tab') insert(selected)
    else if (step !== 0) setActive((active + step + found.length) % found.length)
    else return
    event.preventDefault()
  }

  return (
    <form
      className="inbox-composer"
      onSubmit={event => {
        event.preventDefault()
        void send(false)
      }}
    >
      {selected && (
        <div className="inbox-suggestions" id={listId} role="listbox" aria-label={c.suggestions}>
          {found.map(reply => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
            <div
              className="inbox-suggestion"
              key={reply.id}
              id={`${listId}-${reply.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={reply === selected}
              onClick={() => insert(reply)}
            >
              <b>{reply.title}</b>
              {reply.shortcut && <kbd>/{reply.shortcut}</kbd>}
              <span className="muted">{reply.body}</span>
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={field}
        rows={3}
        maxLength={MAX_LENGTH}
        aria-label={c.answer}
        aria-autocomplete="list"
        aria-controls={selected ? listId : undefined}
        aria-activedescendant={selected && `${listId}-${selected.id}`}
        placeholder={c.placeholder}
        title={c.keys}
        value={text}
        onChange={({ target }) => change(target.value, target.selectionStart)}
        onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      <div className="inbox-send">
        <Menu
          label={c.savedReplies}
          trigger={
            <Button kind="quiet" icon="quote">
              {c.savedReplies}
            </Button>
          }
          items={[
            ...replies.map(reply => ({ id: reply.id, text: reply.title, onAction: () => insert(reply) })),
            { id: 'manage', text: c.manageReplies, icon: 'settings', href: '/messaging/saved-replies' },
          ]}
        />
        <Button isDisabled={isBusy || text.trim() === ''} onPress={() => send(true)}>
          {c.sendAndResolve}
        </Button>
        <Button type="submit" kind="primary" icon="send" shortcut={keys('↵')} isDisabled={isBusy || text.trim() === ''}>
          {c.send}
        </Button>
      </div>
    </form>
  )
}
