// Inside the frame: how tall the form is, which is no secret, whenever that changes.
const form = document.querySelector('main > section')
if (parent !== window && form) {
  /** Pixels below the form. */
  const margin = 32
  const tell = () => {
    const height = form.getBoundingClientRect().bottom + scrollY + margin
    parent.postMessage({ larderForm: { height } }, '*')
  }
  new ResizeObserver(tell).observe(form)
}
