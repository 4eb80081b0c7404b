/** A secret that the API returns once, with a button that copies it. */
import { CopyButton } from '../../public.ts'
import { useStreamTexts } from './texts.ts'
import './streams.css'

export function ShownOnce({ secret }: { readonly secret: string }) {
  const c = useStreamTexts()
  return (
    <div className="shown-once" role="status">
      <p>{c.shownOnce}</p>
      <div className="row">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
    </div>
  )
}
