// Keeps a selection inside its column when the mouse is dragged out of it: sideways along the lines, above and below by
// scrolling. By itself a browser would select everything between this text and the mouse.
const EDGE = 4; // pixels; a point on the very edge belongs to no column

export function startDragging(columns) {
  let column = null;
  let mouse = [0, 0];
  let frame = 0;

  const clamp = () => {
    const box = column.element.getBoundingClientRect();
    const over = Math.min(0, mouse[1] - box.top) + Math.max(0, mouse[1] - box.bottom);
    column.element.scrollTop += over / 4;
    const unit = column.at(within(mouse[0], box.left + EDGE, box.left + column.element.clientWidth - EDGE), within(mouse[1], box.top + EDGE, box.bottom - EDGE));
    const selection = getSelection();
    if (unit !== null && column.holds(selection.anchorNode)) selection.extend(column.node, unit);
  };
  // Right before each frame, so that the browser's own selection is never visible.
  const follow = () => {
    clamp();
    frame = requestAnimationFrame(follow);
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = 0;
  };

  const begin = (pressed) => (event) => {
    column = event.button === 0 ? pressed : null;
    if (column && !event.shiftKey) getSelection().removeAllRanges(); // else a browser would drag the old selection away
  };
  for (const candidate of columns) candidate.element.addEventListener("mousedown", begin(candidate));
  document.addEventListener("mousemove", (event) => {
    if (!column || !(event.buttons & 1)) return;
    stop();
    mouse = [event.clientX, event.clientY];
    const box = column.element.getBoundingClientRect();
    if (mouse[0] > box.left && mouse[0] < box.right && mouse[1] > box.top && mouse[1] < box.bottom) return;
    frame = requestAnimationFrame(follow);
  });
  document.addEventListener("mouseup", () => {
    if (frame) clamp();
    stop();
    column = null;
  });
}

const within = (value, low, high) => Math.max(low, Math.min(high, value));
