/** A secret that the API returns once, with a button that copies it. */
import { Button } from '../../components/Button.tsx'
import { toast } from '../../components/Toast.tsx'
import { useStreamTexts } from './texts.ts'
import './streams.css'

export function ShownOnce({ secret }: { readonly secret: string }) {
  const c = useStreamTexts()
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    toast(c.copied)
  }
  return (
    <div className="shown-once" role="status">
      <p>{c.shownOnce}</p>
      <div className="row">
        <code>{secret}</code>
        <Button icon="copy" onPress={copy}>
          {c.copy}
        </Button>
      </div>
    </div>
  )
}
