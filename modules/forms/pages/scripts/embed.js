// <script src="https://acme.example/forms/embed.js" data-form="frm_…" async></script>
// inserts the form before itself at its full height, without cookies or a library.
;(() => {
  const script = document.currentScript
  const id = script?.dataset.form
  if (!id) return
  const { origin } = new URL(script.src)
  const frame = document.createElement('iframe')
  frame.src = `${origin}/forms/${encodeURIComponent(id)}/frame`
  frame.title = script.dataset.title || 'Form'
  frame.style.cssText = 'width:100%;height:30rem;border:0'
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin) return
    const height = Number(data?.larderForm?.height)
    if (height > 0 && height < 20000) frame.style.height = `${Math.ceil(height)}px`
  })
  script.before(frame)
})()
