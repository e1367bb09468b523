import "./upload-progress.css";

interface UploadProgressProps {
  readonly name: string;
  /** From 0 to 1. */
  readonly part: number;
}

/** How much of a file has been sent. */
export function UploadProgress({ name, part }: UploadProgressProps) {
  return (
    <p class="row upload-progress">
      <progress aria-label={`Uploading ${name}`} value={part} />
      <bdi class="cut">{name}</bdi>
    </p>
  );
}
