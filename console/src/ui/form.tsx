import type { ComponentChildren, JSX } from "preact";
import type { Refusal } from "../api/refusal.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./notice.tsx";

interface FormProps extends Omit<JSX.FormHTMLAttributes, "onSubmit"> {
  readonly onSubmit: () => unknown;
}

/** A form whose input stays in the page. */
export function Form({ onSubmit, ...others }: FormProps) {
  return (
    <form
      {...others}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    />
  );
}

interface FormDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly refusal?: Refusal | undefined;
  /** The label of the button that submits it, a verb. */
  readonly action: string;
  readonly isDisabled?: boolean;
  readonly isBusy?: boolean;
  readonly onSubmit: () => unknown;
  readonly onClose: () => void;
}

/** A form in a dialog of its own. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, refusal, action, isDisabled = false, isBusy = false, onSubmit, onClose } = props;
  return (
    <Dialog title={title} shape="box" onClose={onClose}>
      <Form class="stack" onSubmit={onSubmit}>
        {children}
        {refusal && <Problem refusal={refusal} />}
        <div class="cluster actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" {...{ isDisabled, isBusy }}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
