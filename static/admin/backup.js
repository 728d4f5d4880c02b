// Fetches the backup, so that the page can say when it has arrived; a refusal is shown as a page.
const form = document.querySelector("form[data-then]");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  button.textContent = form.dataset.words;
  try {
    const answer = await fetch(form.action, { method: "POST" });
    const [, name] = /filename="(.+)"/.exec(answer.headers.get("Content-Disposition"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => location.assign(form.dataset.then), 1000); // once the browser has taken the file
  } catch {
    form.submit();
  }
});
