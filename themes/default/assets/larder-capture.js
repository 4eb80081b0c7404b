// @ts-check
/** Sources of a broadcast: screen, camera and a test pattern. */

/** @param {string} source `screen`, `camera` or `pattern` */
export function capture(source) {
  if (source === 'screen') return navigator.mediaDevices.getDisplayMedia({ video: { frameRate: 30 }, audio: true })
  if (source === 'camera') return navigator.mediaDevices.getUserMedia({ video: true, audio: true })
  return Promise.resolve(testPattern())
}

/** Stops the capture that the video shows. @param {HTMLVideoElement} video */
export function release(video) {
  if (video.srcObject instanceof MediaStream) for (const track of video.srcObject.getTracks()) track.stop()
  video.srcObject = null
}

/** Color bars, a rotating hand and the time, at 30 frames per second. */
function testPattern() {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 })
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  const bars = ['#fff', '#ff0', '#0ff', '#0f0', '#f0f', '#f00', '#00f']
  const draw = () => {
    for (const [index, color] of bars.entries()) {
      context.fillStyle = color
      context.fillRect((index * 640) / bars.length, 0, 640 / bars.length + 1, 360)
    }
    const angle = (performance.now() / 1000) * Math.PI
    context.lineWidth = 6
    context.beginPath()
    context.moveTo(320, 150)
    context.lineTo(320 + 110 * Math.cos(angle), 150 + 110 * Math.sin(angle))
    context.stroke()
    context.fillStyle = '#000'
    context.fillRect(0, 300, 640, 60)
    context.fillStyle = '#fff'
    context.font = '32px monospace'
    context.fillText(new Date().toISOString(), 90, 342)
  }
  draw()
  const media = canvas.captureStream(30)
  const timer = setInterval(() => {
    if (media.getVideoTracks().some(track => track.readyState === 'live')) draw()
    else clearInterval(timer)
  }, 33)
  return media
}
