// total: definitions 3, calls 7
export const App = ({ title, onClose = () => {} }) => {
//           ^ definition: function App
//           ^ exported: yes
  const [open, setOpen] = useState(false);
//       ^ element: open 0
//                        ^ calls: useState in App
  return (
    <Layout.Page title={format(title)}>
      {/*    ^ calls: Layout.Page in App */}
      {/*               ^ calls: format in App */}
      <Button onClick={() => setOpen(true)} />
      {/*^ calls: Button in App */}
      {/*                    ^ calls: setOpen in App */}
      <div className="native"><Icon>text</Icon></div>
      {/*                      ^ calls: Icon in App */}
    </Layout.Page>
  );
};

function Layout() {
//       ^ definition: function Layout
  return null;
}

const Wrapped = connect(App);
//    ^ definition: constant Wrapped
//              ^ calls: connect in <module>
