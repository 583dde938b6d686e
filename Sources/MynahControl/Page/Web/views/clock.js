export default {id:'clock',title:'clock',mount(){return ()=>{}}}
