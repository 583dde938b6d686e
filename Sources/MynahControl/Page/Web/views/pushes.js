export default {
    id: "pushes",
    title: "Pushes",
    mount(root, app) {
        root.append(app.el("p", {}, "Pushes"));
        return () => {};
    },
};
