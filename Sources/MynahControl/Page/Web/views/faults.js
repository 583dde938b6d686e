export default {id:'faults',title:'faults',mount(){return ()=>{}}}
