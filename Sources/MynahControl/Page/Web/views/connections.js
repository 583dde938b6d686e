export default {id:'connections',title:'connections',mount(){return ()=>{}}}
